/** The chat participant `@git`: the tools over whatever model the person picked, and four commands. */

import * as vscode from "vscode";

import { ROLE, renderPrompt } from "./prompts";
import { describeFailure, isCancelled, writeCommitMessage, type Connection } from "./requests";
import type { Sessions } from "./sessions";

export const PARTICIPANT_ID = "git-sidecar.git";
// A model that calls tools for ever is stopped; long honest tasks need about a dozen rounds.
const MAX_ROUNDS = 25;

interface Turn {
  readonly request: vscode.ChatRequest;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  readonly session: string;
}

/** Answers prompts that are addressed to `@git`. */
export class Participant {
  constructor(
    private readonly connect: () => Promise<Connection>,
    private readonly sessions: Sessions,
    private readonly toolNames: ReadonlySet<string>,
  ) {}

  /** Register where the host has chat. Dispose to take it back. */
  register(): vscode.Disposable {
    const chat = vscode.chat as typeof vscode.chat | undefined;
    if (typeof chat?.createChatParticipant !== "function") {
      return new vscode.Disposable(() => undefined);
    }
    const participant = chat.createChatParticipant(PARTICIPANT_ID, async (request, context, stream, token) => {
      // The editor does not say which chat this is; our own earlier answers in it do.
      const session = sessionOf(context) ?? crypto.randomUUID();
      try {
        await this.answer({ request, stream, token, session }, context);
      } catch (error) {
        if (!token.isCancellationRequested && !isCancelled(error)) {
          stream.markdown(describeFailure(error));
        }
      }
      return { metadata: { session } };
    });
    participant.iconPath = new vscode.ThemeIcon("git-commit");
    return participant;
  }

  private async answer(turn: Turn, context: vscode.ChatContext): Promise<void> {
    if (turn.request.command === "commit") {
      await this.commit(turn);
    } else if (turn.request.command === "undo") {
      this.say(turn, await this.invoke(turn, "git_undo", {}));
    } else {
      await this.converse(turn, context);
    }
  }

  private async commit(turn: Turn): Promise<void> {
    const { stream, token, request } = turn;
    stream.progress(vscode.l10n.t("Writing a commit message"));
    const server = await this.connect();
    const extra = request.prompt.trim();
    const params = extra === "" ? {} : { instructions: extra };
    const written = await writeCommitMessage(server, params, () => undefined, token);
    if (!written.canceled) {
      this.say(turn, await this.invoke(turn, "git_commit", { message: written.message }));
    }
  }

  private async converse(turn: Turn, context: vscode.ChatContext): Promise<void> {
    const { request, stream, token } = turn;
    const tools = vscode.lm.tools
      .filter(({ name }) => this.toolNames.has(name))
      .map(({ name, description, inputSchema }) => ({ name, description, ...(inputSchema && { inputSchema }) }));
    const messages = [
      vscode.LanguageModelChatMessage.User(ROLE),
      ...context.history.flatMap(toMessages),
      vscode.LanguageModelChatMessage.User(renderPrompt(request.command, request.prompt)),
    ];
    for (let round = 0; round < MAX_ROUNDS && !token.isCancellationRequested; round += 1) {
      const response = await request.model.sendRequest(messages, { tools }, token);
      const said: (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] = [];
      for await (const part of response.stream) {
        if (part instanceof vscode.LanguageModelTextPart) {
          stream.markdown(part.value);
          said.push(part);
        } else if (part instanceof vscode.LanguageModelToolCallPart) {
          said.push(part);
        }
      }
      const calls = said.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
      if (calls.length === 0) {
        return;
      }
      const results: vscode.LanguageModelToolResultPart[] = [];
      for (const call of calls) {
        const result = await this.invoke(turn, call.name, call.input);
        results.push(new vscode.LanguageModelToolResultPart(call.callId, result.content));
      }
      messages.push(vscode.LanguageModelChatMessage.Assistant(said), vscode.LanguageModelChatMessage.User(results));
    }
    if (!token.isCancellationRequested) {
      stream.markdown(vscode.l10n.t("Stopped: too many tool calls for one answer."));
    }
  }

  private async invoke(turn: Turn, name: string, input: object): Promise<vscode.LanguageModelToolResult> {
    if (!this.toolNames.has(name)) {
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(`There is no tool ${name}.`)]);
    }
    const options = { input, toolInvocationToken: turn.request.toolInvocationToken };
    return this.sessions.during(turn.session, name, input, () => vscode.lm.invokeTool(name, options, turn.token));
  }

  private say(turn: Turn, result: vscode.LanguageModelToolResult): void {
    for (const part of result.content) {
      if (part instanceof vscode.LanguageModelTextPart) {
        turn.stream.markdown(part.value);
      }
    }
  }
}

function sessionOf(context: vscode.ChatContext): string | undefined {
  for (const turn of [...context.history].reverse()) {
    if (turn instanceof vscode.ChatResponseTurn && turn.participant === PARTICIPANT_ID) {
      const session: unknown = turn.result.metadata?.["session"];
      return typeof session === "string" ? session : undefined;
    }
  }
  return undefined;
}

function toMessages(turn: vscode.ChatRequestTurn | vscode.ChatResponseTurn): vscode.LanguageModelChatMessage[] {
  if (turn instanceof vscode.ChatRequestTurn) {
    return [vscode.LanguageModelChatMessage.User(renderPrompt(turn.command, turn.prompt))];
  }
  const text = turn.response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ""))
    .join("");
  return text === "" ? [] : [vscode.LanguageModelChatMessage.Assistant(text)];
}
