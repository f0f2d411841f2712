/** A tool call on its way: prepared for a ticket, called with it, and called again where a stale one was in the way. */

import { callTool, prepareTool, type CancelToken, type Connection } from "./requests";
import type { CallResult, Prepared } from "./protocol";
import type { Sessions } from "./sessions";
import type { TicketBook } from "./tickets";

/** What an editor's tool needs of the server, without the editor. */
export class ToolRun {
  constructor(
    private readonly tickets: TicketBook,
    private readonly sessions: Sessions,
    private readonly connect: () => Promise<Connection>,
  ) {}

  /** What to show before the call; a ticket that comes with it is kept for the call. */
  async prepare(name: string, input: object, token: CancelToken): Promise<Prepared> {
    const server = await this.connect();
    const sessionId = this.sessions.of(name, input);
    const prepared = await prepareTool(server, { name, arguments: input, sessionId }, token);
    const { confirmation } = prepared;
    if (prepared.decision === "ask" && confirmation) {
      this.tickets.put(name, input, confirmation.ticket, confirmation.expiresInMs);
    }
    return prepared;
  }

  /** Call the tool. Without a ticket the server asks by itself, so a host that prepares nothing gets past nobody. */
  async call(name: string, input: object, token: CancelToken): Promise<CallResult> {
    const server = await this.connect();
    const call = { name, arguments: input, sessionId: this.sessions.of(name, input), toolCallId: crypto.randomUUID() };
    let ticket = this.tickets.take(name, input);
    for (;;) {
      const result = await callTool(server, ticket === undefined ? call : { ...call, ticket }, token);
      const stale = ticket !== undefined && (result.error?.code === "ticket_invalid" || result.error?.code === "changed_since_confirmed");
      // The oldest ticket may be that of a card which was skipped; the card that was allowed has a later one.
      const next = stale ? this.tickets.take(name, input) : undefined;
      if (next === undefined) {
        return result;
      }
      ticket = next;
    }
  }
}
