import { defineConfig } from "vitest/config";
import everything from "../../vitest.config.ts";
import { testFilesVariable } from "./test-files.ts";

/** The tests that Stryker runs: those of certain folders, with the settings of all. */
export default defineConfig({
  ...everything,
  test: {
    ...everything.test,
    include: JSON.parse(process.env[testFilesVariable] ?? "[]") as string[],
    setupFiles: [...(everything.test?.setupFiles ?? []), "./tools/mutants/pass-mutant-on.ts"],
  },
});
