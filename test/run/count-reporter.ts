import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";
import { countsFileVariable, type TestRun } from "./test-counts.ts";

/** A vitest reporter that prints nothing: it leaves the run's counts and times in a file for whoever started the run. */
export default function countReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const file = process.env[countsFileVariable];
      if (file === undefined) return;
      const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
      const groups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
      const broken = groups.flatMap((group) => group.errors()).length + unhandledErrors.length;
      const passed = states.filter((state) => state === "passed").length;
      const failed = states.filter((state) => state === "failed").length + broken;
      const files = modules.map((module) => {
        const { collectDuration, duration, setupDuration } = module.diagnostic();
        return { file: module.relativeModuleId, ms: Math.round(collectDuration + setupDuration + duration) };
      });
      writeFileSync(file, JSON.stringify({ passed, failed, files } satisfies TestRun));
    },
  };
}
