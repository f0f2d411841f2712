/** A connection to the fake server, as the extension's own code wants it. */

import { spawn, type ChildProcess } from "node:child_process";
import * as path from "node:path";

import { createMessageConnection, ProgressType, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

import type { CancelToken, Connection } from "../../src/requests";

export interface Received {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export class FakeServer {
  readonly connection: Connection;
  private readonly child: ChildProcess;
  private readonly received: () => Promise<Received[]>;

  constructor() {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "..", "fake", "server.mjs")]);
    const rpc = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    rpc.listen();
    this.child = child;
    this.received = () => rpc.sendRequest("fake/received", {});
    this.connection = {
      sendRequest: <R>(method: string, params: object, token?: CancelToken) =>
        token ? rpc.sendRequest<R>(method, params, token as never) : rpc.sendRequest<R>(method, params),
      sendNotification: (method, params) => rpc.sendNotification(method, params),
      onProgress: (token, handler) => rpc.onProgress(new ProgressType<unknown>(), token, handler),
    };
  }

  /** Everything of one method that the fake has received, in order. */
  async heard(method: string): Promise<Record<string, unknown>[]> {
    return (await this.received()).filter((message) => message.method === method).map(({ params }) => params);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.child.on("exit", () => resolve());
      this.child.stdin?.end();
    });
  }
}
