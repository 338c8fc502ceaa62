import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { TEST_LIMIT_MS, WAIT_LIMIT_MS } from "./test/run/limits.ts";
import { LongestApart } from "./test/run/longest-apart.ts";

const conditions = ["@agent-service/source"];

/** One run over every package: tests import workspace packages from source, so nothing needs a build. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          // Without an `exclude` of its own: that would take the place of the command line's.
          include: ["packages/*/src/**/*.test.ts", "apps/!(console)/src/**/*.test.ts", "test/**/*.test.ts"],
          // Node strips the types itself, as it does for what the service is started from: a tenth of the processor time less.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      // Needs what Node has not: JSX, and style sheets as modules.
      { extends: true, test: { name: "console", include: ["apps/console/src/**/*.test.{ts,tsx}"] } },
    ],
    // A young generation that is rarely full: collecting it is a twentieth of the processor time otherwise.
    execArgv: ["--conditions=@agent-service/source", "--max-semi-space-size=64"],
    globalSetup: ["./test/run/temporary-home.ts"],
    setupFiles: ["./test/run/property-seed.ts"],
    pool: "forks",
    // Tests wait for sockets, disks, child processes, browsers and ticks of the engine: with three on two cores a quarter of the
    // processor time is idle.
    maxWorkers: availableParallelism() * 2,
    // No module holds state (architecture rule 5), so files may share a process: what they import is loaded once, not 340 times.
    isolate: false,
    sequence: { sequencer: LongestApart },
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
    teardownTimeout: WAIT_LIMIT_MS,
    expect: { poll: { timeout: WAIT_LIMIT_MS, interval: 10 } },
  },
});
