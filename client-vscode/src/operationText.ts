/** Operations of agents as rows of text: who did what, when, to which repository. Pure. */

import type { Operation } from "./protocol";
import type { Translate } from "./question";

/** When an operation happened, in milliseconds since 1970; a time that cannot be read is 0. */
export function timeOf(operation: Operation): number {
  const time = typeof operation.time === "number" ? operation.time : Date.parse(operation.time);
  return Number.isFinite(time) ? time : 0;
}

/** Absolute root of the operation's repository. */
export function rootOf(operation: Operation): string {
  return typeof operation.repository === "string" ? operation.repository : operation.repository.root;
}

/** What the repository is called. */
export function repositoryNameOf(operation: Operation): string {
  if (typeof operation.repository !== "string") {
    return operation.repository.label;
  }
  return operation.repository.replace(/[/\\]+$/, "").replace(/^.*[/\\]/, "");
}

/** Whether its effect can be put back and has not been. */
export function isUndoable(operation: Operation): boolean {
  return operation.undo !== "none" && !operation.undone;
}

/** The two commits between which it moved, where it moved at all. */
export function headsOf(operation: Operation): { from: string; to: string } | undefined {
  const from = operation.before?.head;
  const to = operation.after?.head;
  return from && to && from !== to ? { from, to } : undefined;
}

/** What it did, in a few words: the tool, and the subject, subcommand or paths it was given. */
export function describeOperation(operation: Operation): string {
  const { message, subcommand, action, name, rev, paths } = operation.arguments;
  const first = [message, subcommand, [action, name].filter((part) => typeof part === "string").join(" "), rev]
    .find((part): part is string => typeof part === "string" && part !== "")
    ?.split("\n", 1)[0];
  const detail = first ?? (Array.isArray(paths) ? paths.join(", ") : "");
  const what = operation.tool.replace(/^git_/, "").replaceAll("_", " ");
  return detail === "" ? what : `${what}: ${detail}`;
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

/** How long ago, in the person's language. */
export function describeAge(timeMs: number, nowMs: number, locale: string): string {
  const age = Math.max(0, nowMs - timeMs);
  const [unit, length] = UNITS.find(([, size]) => age >= size) ?? (["second", 1_000] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-Math.floor(age / length), unit);
}

/** A row for a screen reader: everything the row shows by icon, colour and place. */
export function describeAloud(operation: Operation, nowMs: number, locale: string, t: Translate): string {
  const parts = [
    describeOperation(operation),
    repositoryNameOf(operation),
    describeAge(timeOf(operation), nowMs, locale),
    operation.client ?? operation.session,
  ];
  if (operation.undone) {
    parts.push(t("undone"));
  }
  return parts.join(", ");
}
