import { runStages, type Stage } from "./run-stages.ts";

const vitest = ["vitest", "run", "--reporter=default", "--reporter=./test/run/count-reporter.ts"] as const;

/** The test command: from the cheapest proof that something is wrong to the most thorough. */
const stages: readonly Stage[] = [
  { title: "build", commands: [["node", "run-turbo.ts", "build"]] },
  { title: "types", commands: [["tsc", "-b"]] },
  {
    title: "lint",
    commands: [
      ["biome", "check", "--error-on-warnings", "."],
      ["oxlint", "--type-aware"],
    ],
  },
  { title: "house rules", commands: [[...vitest, "test/house"]], counts: true },
  { title: "tests", commands: [[...vitest, "--exclude=test/house/**", "--exclude=test/house.test.ts"]], counts: true },
];

const { passed, failed } = await runStages(stages, {
  cwd: new URL("../..", import.meta.url).pathname,
  print: (line) => console.log(line),
});
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
