/** What a person reads before a call: the exact command, and what it takes away. Pure; texts by a translator. */

import type { Effects } from "./protocol";

/** `vscode.l10n.t`, or a stand-in that fills `{0}`. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** A command as it could be typed in a POSIX shell; what cannot be seen on a screen is spelled out. */
export function quoteCommand(command: readonly string[]): string {
  return command.map(quoteArgument).join(" ");
}

// Control characters, and those that reorder or hide text (bidirectional marks, zero-width characters).
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function quoteArgument(argument: string): string {
  if (/^[\w@%+=:,./~^-]+$/.test(argument)) {
    return argument;
  }
  if (argument.search(UNSEEN) === -1) {
    return `'${argument.replaceAll("'", "'\\''")}'`;
  }
  const spelled = argument
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replace(UNSEEN, (character) => {
      const short = { "\n": "\\n", "\t": "\\t", "\r": "\\r" }[character];
      return short ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    });
  return `$'${spelled}'`;
}

/** One line for each thing that a call changes or destroys, the gravest first. */
export function describeEffects(effects: Effects, t: Translate): string[] {
  const lines: string[] = [];
  const count = (n: number | undefined, text: string): void => {
    if (n) {
      lines.push(t(text, n));
    }
  };
  count(effects.linesLost, "Lines that are found nowhere else and will be lost: {0}");
  count(effects.untrackedLost, "Untracked files that will be deleted: {0}");
  count(effects.commitsDropped, "Commits that will be dropped: {0}");
  count(effects.commitsPushed, "Commits that will be pushed: {0}");
  count(effects.filesChanged, "Files changed: {0}");
  for (const { name, old, new: next } of effects.refs ?? []) {
    lines.push(describeMove(name, old?.slice(0, 10), next?.slice(0, 10), t));
  }
  if (effects.remoteUrl) {
    lines.push(t("Remote: {0}", effects.remoteUrl));
  }
  if (effects.undo === "none") {
    lines.push(t("This cannot be undone."));
  } else if (effects.undo) {
    lines.push(t("This can be undone from Agent Operations."));
  }
  return lines;
}

/** Where a ref goes; an end that is not named is gone or not made yet, and only the server's own text knows which. */
function describeMove(name: string, old: string | undefined, next: string | undefined, t: Translate): string {
  if (old && next) {
    return t("{0}: {1} → {2}", name, old, next);
  }
  return old ? t("{0}, now at {1}", name, old) : t("{0}, new at {1}", name, next ?? "?");
}

/** A fenced code block that its text cannot break out of. */
export function fence(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Markdown of a confirmation card: what will happen, the command, what it takes away. */
export function renderCard(
  question: { readonly message: string; readonly command: readonly string[]; readonly effects: Effects },
  t: Translate,
): string {
  const effects = describeEffects(question.effects, t).map((line) => `- ${line.replace(/[\\`*_[\]<>|]/g, "\\$&")}`);
  return [question.message, fence(quoteCommand(question.command), "sh"), effects.join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Plain text of a modal dialog: the same, without markdown. */
export function renderDialog(
  question: { readonly message: string; readonly command: readonly string[]; readonly effects: Effects },
  t: Translate,
): string {
  return [stripMarkdown(question.message), quoteCommand(question.command), ...describeEffects(question.effects, t)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function stripMarkdown(text: string): string {
  return text
    .replace(/^ {0,3}(`{3,}|~{3,}).*$/gm, "")
    .replace(/\\([\\`*_{}[\]()#+\-.!<>|])/g, "$1")
    .replace(/\*\*|`/g, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
