/** Which session a tool call belongs to: the window's, or that of the chat that is known to make it. */

import { canonicalJson } from "./canonical";

/** The window's session, and the chats' while their calls run. */
export class Sessions {
  private readonly running = new Map<string, string[]>();

  /** `windowSession` is used for every call that no chat of ours makes. */
  constructor(readonly windowSession: string) {}

  /** The session of a call of `tool` with this input. */
  of(tool: string, input: unknown): string {
    return this.running.get(`${tool} ${canonicalJson(input)}`)?.[0] ?? this.windowSession;
  }

  /** Run `call` as part of `session`: the editor hands a tool nothing of its caller but the input. */
  async during<R>(session: string, tool: string, input: unknown, call: () => PromiseLike<R>): Promise<R> {
    const key = `${tool} ${canonicalJson(input)}`;
    this.running.set(key, [...(this.running.get(key) ?? []), session]);
    try {
      return await call();
    } finally {
      const rest = (this.running.get(key) ?? []).filter((_, index, all) => index !== all.indexOf(session));
      if (rest.length === 0) {
        this.running.delete(key);
      } else {
        this.running.set(key, rest);
      }
    }
  }
}
