/** The server's tools as language-model tools of the editor, there while the server is. */

import * as vscode from "vscode";

import type { DiffView } from "./diffView";
import { renderCard } from "./question";
import type { CallResult, Confirmation } from "./protocol";
import type { ToolRun } from "./toolRun";

/** Register every tool that the server names and the manifest declares. Dispose to take them back. */
export function registerTools(
  names: readonly string[],
  declared: ReadonlySet<string>,
  run: ToolRun,
  diffs: DiffView,
): vscode.Disposable {
  // A host without language models (Theia, older editors) has no `lm`, whatever the types say.
  const lm = vscode.lm as typeof vscode.lm | undefined;
  if (typeof lm?.registerTool !== "function") {
    return new vscode.Disposable(() => undefined);
  }
  const known = names.filter((name) => declared.has(name));
  return vscode.Disposable.from(...known.map((name) => lm.registerTool(name, createTool(name, run, diffs))));
}

function createTool(name: string, run: ToolRun, diffs: DiffView): vscode.LanguageModelTool<object> {
  return {
    async prepareInvocation({ input }, token) {
      const prepared = await run.prepare(name, input, token);
      const { confirmation } = prepared;
      return confirmation && prepared.decision === "ask"
        ? {
            invocationMessage: prepared.invocationMessage,
            confirmationMessages: { title: confirmation.title, message: renderQuestion(confirmation, diffs) },
          }
        : { invocationMessage: prepared.invocationMessage };
    },
    async invoke({ input }, token) {
      return toToolResult(await run.call(name, input, token));
    },
  };
}

function renderQuestion(confirmation: Confirmation, diffs: DiffView): vscode.MarkdownString {
  const message = new vscode.MarkdownString(renderCard(confirmation, vscode.l10n.t));
  const link = diffs.keep(confirmation.title, confirmation.cards);
  if (link) {
    // Only this one command, and only with the number of a diff that we hold, can be reached from the card.
    message.isTrusted = { enabledCommands: [link.command] };
    const query = encodeURIComponent(JSON.stringify(link.arguments));
    message.appendMarkdown(`\n\n[${vscode.l10n.t("Show the diff")}](command:${link.command}?${query})`);
  }
  return message;
}

/** The result for the model: the rendered text, and the value it was rendered from. */
export function toToolResult(result: CallResult): vscode.LanguageModelToolResult {
  const parts: (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[] = [
    new vscode.LanguageModelTextPart(result.text),
  ];
  const data = vscode.LanguageModelDataPart as typeof vscode.LanguageModelDataPart | undefined;
  if (data) {
    parts.push(data.json(result.ok ? result.value : { error: result.error }, "application/json"));
  }
  return new vscode.LanguageModelToolResult(parts);
}
