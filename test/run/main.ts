import { runStages, type Stage } from "./run-stages.ts";

const vitest = ["vitest", "run", "--reporter=default", "--reporter=./test/run/count-reporter.ts"] as const;

/** What checks the repository itself. It packs packages, which writes into their folders, so it runs before the rest. */
const ofTheHouse = ["house", "docs", "publish", "run"];

/** The test command: from the cheapest proof that something is wrong to the most thorough. */
const stages: readonly Stage[] = [
  { title: "build", commands: [["node", "run-turbo.ts", "build"]] },
  { title: "browser", commands: [["node", "test/console/bring-browser-command.ts"]] },
  { title: "types", commands: [["tsc", "-b"]] },
  {
    title: "lint",
    commands: [
      ["biome", "check", "--error-on-warnings", "."],
      ["oxlint", "--type-aware"],
    ],
  },
  {
    title: "house rules, documents, published form",
    commands: [[...vitest, ...ofTheHouse.map((part) => `test/${part}`)]],
    counts: true,
  },
  {
    title: "tests",
    commands: [
      [...vitest, ...ofTheHouse.flatMap((part) => [`--exclude=test/${part}/**`, `--exclude=test/${part}.test.ts`])],
    ],
    counts: true,
  },
];

const { passed, failed } = await runStages(stages, {
  cwd: new URL("../..", import.meta.url).pathname,
  print: (line) => console.log(line),
});
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
