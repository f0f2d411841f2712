/**
 * Tickets between `prepareInvocation` and `invoke`: the two share nothing but the input.
 *
 * They are kept by tool and canonical input, first in first out, and each is handed out once. A ticket left behind by
 * a card that was skipped is harmless: the server voids it when what it was bound to has moved, and then the next one
 * is tried.
 */

import { canonicalJson } from "./canonical";

interface Held {
  readonly ticket: string;
  readonly expiresAtMs: number;
}

/** The tickets that wait for their call. */
export class TicketBook {
  private readonly held = new Map<string, Held[]>();

  /** `now` gives milliseconds on any clock that only moves forward. */
  constructor(private readonly now: () => number) {}

  /** Keep a ticket for the next call of `tool` with this input, for `expiresInMs`. */
  put(tool: string, input: unknown, ticket: string, expiresInMs: number): void {
    const key = keyOf(tool, input);
    const queue = this.alive(key);
    queue.push({ ticket, expiresAtMs: this.now() + expiresInMs });
    this.held.set(key, queue);
  }

  /** The oldest ticket for this call, which is then gone; `undefined` where there is none that still lives. */
  take(tool: string, input: unknown): string | undefined {
    const key = keyOf(tool, input);
    const queue = this.alive(key);
    const first = queue.shift();
    if (queue.length === 0) {
      this.held.delete(key);
    } else {
      this.held.set(key, queue);
    }
    return first?.ticket;
  }

  /** Forget all: a server that was started anew knows none of them. */
  clear(): void {
    this.held.clear();
  }

  private alive(key: string): Held[] {
    return (this.held.get(key) ?? []).filter((held) => held.expiresAtMs > this.now());
  }
}

function keyOf(tool: string, input: unknown): string {
  return `${tool} ${canonicalJson(input)}`;
}
