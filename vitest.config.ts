import { defineConfig } from "vitest/config";

const conditions = ["@agent-service/source"];

/** One run over every package: tests import workspace packages from source, so nothing needs a build. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    execArgv: ["--conditions=@agent-service/source"],
    pool: "forks",
    testTimeout: 20_000,
  },
});
