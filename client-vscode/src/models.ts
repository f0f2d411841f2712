/** The editor's language models: which one is asked, and the server's requests for a text. */

import * as vscode from "vscode";

import { readModel, writeModel } from "./configuration";
import { ErrorCode, type CompleteParams } from "./protocol";
import { ResponseError } from "vscode-languageclient/node";

/** Whether this host has language models at all; some of them may come later. */
export function hasLanguageModels(): boolean {
  const lm = vscode.lm as typeof vscode.lm | undefined;
  return typeof lm?.selectChatModels === "function";
}

/** The model to ask: the one that was chosen, else the first; `undefined` where there is none. */
export async function selectModel(): Promise<vscode.LanguageModelChat | undefined> {
  if (!hasLanguageModels()) {
    return undefined;
  }
  const models = await vscode.lm.selectChatModels({});
  const wanted = readModel();
  return wanted === "" ? models[0] : models.find((model) => nameOf(model) === wanted);
}

/** Answer the server's `languageModel/complete`. No model: an error, on which the server says so. */
export async function completeText(
  params: CompleteParams,
  token: vscode.CancellationToken,
): Promise<{ text: string; model: string }> {
  const model = await selectModel();
  if (!model) {
    throw new ResponseError(ErrorCode.methodNotFound, "no language model is available");
  }
  // Temperature and length are left to the model: hosts pass such options on unchecked, and some models refuse them.
  const messages = params.messages.map(({ role, content }) =>
    role === "assistant"
      ? vscode.LanguageModelChatMessage.Assistant(content)
      : vscode.LanguageModelChatMessage.User(content),
  );
  const justification = vscode.l10n.t("Git Sidecar writes a commit message for the staged changes.");
  const response = await model.sendRequest(messages, { justification }, token);
  let text = "";
  for await (const fragment of response.text) {
    text += fragment;
  }
  return { text, model: nameOf(model) };
}

/** Let the person choose a model; the choice is remembered for every window. */
export async function pickModel(): Promise<void> {
  const models = hasLanguageModels() ? await vscode.lm.selectChatModels({}) : [];
  if (models.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("No language model is available. Commit messages are written offline."),
    );
    return;
  }
  const current = readModel();
  const automatic = { label: vscode.l10n.t("Automatic"), description: "", value: "" };
  const items = [
    automatic,
    ...models.map((model) => ({ label: model.name, description: nameOf(model), value: nameOf(model) })),
  ].map((item) => (item.value === current ? { ...item, detail: vscode.l10n.t("Chosen now") } : item));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Language model for commit messages"),
  });
  if (picked) {
    await writeModel(picked.value);
  }
}

function nameOf(model: vscode.LanguageModelChat): string {
  return `${model.vendor}/${model.id}`;
}
