import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";
import { boundsFileVariable } from "./reported-bound.ts";

/** A vitest reporter that prints nothing: it leaves the bounds that tests reported in a file for whoever started the run. */
export default function boundsReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      const file = process.env[boundsFileVariable];
      if (file === undefined) return;
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      writeFileSync(file, JSON.stringify(tests.flatMap((one) => one.meta().bounds ?? [])));
    },
  };
}
