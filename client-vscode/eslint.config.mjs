import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "out/", "bundled/", "node_modules/", "test/editor/companion/", "**/*.mjs", "**/*.cjs"] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // `vscode.Disposable` is declared as a class but meant, and used by the editor itself, as an interface.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      eqeqeq: "error",
      "no-console": "error",
      "max-lines": ["error", { max: 300, skipBlankLines: true }],
      "no-restricted-imports": [
        "error",
        { paths: [{ name: "child_process", message: "Only interpreter.ts starts a process." }, { name: "node:child_process", message: "Only interpreter.ts starts a process." }] },
      ],
    },
  },
  { files: ["src/interpreter.ts", "test/**"], rules: { "no-restricted-imports": "off" } },
  { files: ["src/protocol.gen.ts"], rules: { "max-lines": "off" } },
);
