import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/editor/**/*.test.ts"],
    globalSetup: ["test/editor/globalSetup.ts"],
    testTimeout: 150_000,
    hookTimeout: 180_000,
    // Two cores: a second editor would only make both late.
    fileParallelism: false,
  },
});
