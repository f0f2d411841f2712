// Test only. A scripted language model, a default chat participant that runs the tool loop, and an HTTP door on the
// loopback address through which a test drives the editor.
const http = require("node:http");
const vscode = require("vscode");

/** Answers to give, in order: {text} | {tool, input} | {hold: true} (until cancelled). */
const script = [];
const asked = [];
const answers = {};

const information = {
  id: "scripted-1",
  name: "Scripted One",
  family: "scripted",
  version: "1",
  maxInputTokens: 100000,
  maxOutputTokens: 100000,
  isUserSelectable: true,
  isDefault: true,
  capabilities: { toolCalling: true, imageInput: false },
};

const provider = {
  provideLanguageModelChatInformation: () => [information],
  provideTokenCount: () => 1,
  async provideLanguageModelChatResponse(_model, messages, _options, progress, token) {
    asked.push(messages.map((message) => message.content.map((part) => part.value ?? part.content?.map(({ value }) => value ?? "").join("") ?? part.name ?? "").join("")));
    const next = script.shift() ?? { text: "(script is empty)" };
    if (next.hold) {
      await new Promise((resolve) => token.onCancellationRequested(resolve));
      throw new vscode.CancellationError();
    }
    progress.report(
      next.tool
        ? new vscode.LanguageModelToolCallPart(`call-${asked.length}`, next.tool, next.input)
        : new vscode.LanguageModelTextPart(next.text),
    );
  },
};

async function converse(request, _context, stream, token) {
  const [model] = await vscode.lm.selectChatModels({ vendor: "scripted" });
  const messages = [vscode.LanguageModelChatMessage.User(request.prompt)];
  for (;;) {
    const response = await model.sendRequest(messages, {}, token);
    const calls = [];
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelToolCallPart) {
        calls.push(part);
      } else {
        stream.markdown(part.value);
      }
    }
    if (calls.length === 0) {
      return {};
    }
    for (const call of calls) {
      const options = { input: call.input, toolInvocationToken: request.toolInvocationToken };
      const result = await vscode.lm.invokeTool(call.name, options, token);
      messages.push(
        vscode.LanguageModelChatMessage.Assistant([call]),
        vscode.LanguageModelChatMessage.User([new vscode.LanguageModelToolResultPart(call.callId, result.content)]),
      );
    }
  }
}

function git() {
  return vscode.extensions.getExtension("vscode.git").exports.getAPI(1);
}

function repositoryAt(root) {
  return git().repositories.find((repository) => repository.rootUri.fsPath === root);
}

const doors = {
  command: ({ id, args = [] }) => vscode.commands.executeCommand(id, ...args).then(() => null),
  commandOnRoot: ({ id, root }) => vscode.commands.executeCommand(id, vscode.Uri.file(root)).then(() => null),
  state: () => ({
    tools: vscode.lm.tools.filter(({ tags }) => tags.includes("git-sidecar")).map(({ name }) => name),
    repositories: safely(() => git().repositories.map(({ rootUri }) => rootUri.fsPath)) ?? [],
    running: vscode.extensions.getExtension("git-sidecar.git-sidecar")?.isActive ?? false,
  }),
  staged: ({ root }) => repositoryAt(root)?.state.indexChanges.map(({ uri }) => uri.fsPath) ?? [],
  box: ({ root }) => repositoryAt(root)?.inputBox.value ?? null,
  setBox: ({ root, text }) => ((repositoryAt(root).inputBox.value = text), null),
  script: ({ replies }) => (script.splice(0, script.length, ...replies), null),
  asked: () => asked,
  documents: () => vscode.workspace.textDocuments.map((document) => ({ uri: document.uri.toString(), text: document.getText() })),
  tabs: () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label)),
  // Answers are fetched by `answer`, since a question may stay open while the test presses its buttons.
  invoke: ({ key, tool, input }) => {
    answers[key] = undefined;
    vscode.lm
      .invokeTool(tool, { input, toolInvocationToken: undefined })
      .then((result) => ({ text: result.content.map((part) => part.value ?? "").join("") }))
      .then(
        (answer) => (answers[key] = answer),
        (error) => (answers[key] = { error: String(error?.message ?? error) }),
      );
    return null;
  },
  answer: ({ key }) => answers[key] ?? null,
  setting: ({ name, value }) => vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global).then(() => null),
};

function safely(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("scripted", provider));
  context.subscriptions.push(vscode.chat.createChatParticipant("companion.default", converse));
  // The first prompt fails where nobody has asked for the models before.
  await vscode.lm.selectChatModels({ vendor: "scripted" });
  const port = Number(process.env.GIT_SIDECAR_TEST_PORT);
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) {
      body += chunk;
    }
    const { door, ...params } = JSON.parse(body || "{}");
    try {
      response.end(JSON.stringify({ value: (await doors[door](params)) ?? null }));
    } catch (error) {
      response.end(JSON.stringify({ error: String(error?.stack ?? error) }));
    }
  });
  // The window before this one may still hold the port for a moment.
  const listen = () => server.listen(port, "127.0.0.1");
  server.on("error", () => setTimeout(listen, 200));
  listen();
  context.subscriptions.push({ dispose: () => (server.closeAllConnections(), server.close()) });
};
