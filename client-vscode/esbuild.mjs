import { build } from "esbuild";

const outfile = process.argv.find((argument) => argument.startsWith("--outfile="))?.slice(10);

await build({
  entryPoints: ["src/extension.ts"],
  outfile: outfile ?? "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  // The Node of the oldest editor that `engines.vscode` lets in.
  target: "node22",
  external: ["vscode"],
  minify: process.argv.includes("--minify"),
  sourcemap: !process.argv.includes("--minify"),
  logLevel: "warning",
});
