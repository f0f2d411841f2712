/** What becomes of the text in a commit box when a message is written into it. Pure. */

/** What the server is told: the person's own text, or that it should try again after its own. */
export function describeBox(current: string, written: string | undefined, attempts: number): { current?: string; attempt?: number } {
  if (current.trim() === "") {
    return {};
  }
  return current === written ? { attempt: attempts } : { current };
}

/** Whether a written message replaces words of the person instead of going on from them. */
export function replacesText(current: string, written: string | undefined, message: string): boolean {
  return current.trim() !== "" && current !== written && !message.startsWith(current.trim());
}
