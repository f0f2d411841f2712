/** When a server that ended by itself is started again. */

/** Waits between starts, in milliseconds; after the last one it stays down until a person restarts it. */
export const RESTART_DELAYS_MS: readonly number[] = [500, 1_000, 2_000, 5_000, 15_000];

/** A server that has been up this long has recovered: its next end counts as the first again. */
export const STABLE_AFTER_MS = 60_000;

/** Counts the ends of a server and says how long to wait. */
export class Backoff {
  private ends = 0;

  /** How long to wait after the server, up for `upMs`, has ended; `undefined`: start it no more. */
  next(upMs: number): number | undefined {
    if (upMs >= STABLE_AFTER_MS) {
      this.ends = 0;
    }
    const delay = RESTART_DELAYS_MS[this.ends];
    this.ends += 1;
    return delay;
  }

  /** A person restarted it: begin anew. */
  reset(): void {
    this.ends = 0;
  }
}
