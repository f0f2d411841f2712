import * as fs from "node:fs";
import * as path from "node:path";

import { expect, test } from "vitest";

const SOURCES = path.join(import.meta.dirname, "..", "..", "src");

test("every text that a person sees is in the bundle for translators (vitest -u writes it)", async () => {
  const texts = fs
    .readdirSync(SOURCES)
    .map((name) => fs.readFileSync(path.join(SOURCES, name), "utf8"))
    .flatMap((source) => [
      ...source.matchAll(/\bt\(\s*("(?:[^"\\]|\\.)*")/g),
      ...source.matchAll(/\bcount\([\w.]+, ("(?:[^"\\]|\\.)*")\)/g),
    ])
    .map(([, literal]) => JSON.parse(literal ?? '""') as string);
  expect(texts).toContain("Stage All and Write");
  const bundle = Object.fromEntries([...new Set(texts)].sort().map((text) => [text, text]));
  await expect(`${JSON.stringify(bundle, null, 2)}\n`).toMatchFileSnapshot("../../l10n/bundle.l10n.json");
});
