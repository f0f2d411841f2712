/** One text for one JSON value: keys sorted, so that two copies of an object that travelled differently agree. */

/** The canonical JSON text of `value`; members that are `undefined` are left out, as JSON leaves them out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value ?? null));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
  }
  return value;
}
