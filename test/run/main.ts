/** `pnpm test`, and beside busy loops `pnpm test:loaded`: the last line counts the passed and failed tests. */
import { parseArgs } from "node:util";
import { calibrate } from "../../bench/calibration.ts";
import { startBusyLoops } from "./busy-loops.ts";
import { durationLine } from "./duration-line.ts";
import { runStages, type Stage } from "./run-stages.ts";
import { slowestFiles } from "./slowest-files.ts";

const vitest = ["vitest", "run", "--reporter=default", "--reporter=./test/run/count-reporter.ts"] as const;

/** What checks the repository itself. It packs packages, which writes into their folders, so it runs before the rest. */
const ofTheRepository = ["architecture", "docs", "publish", "run"];

/** The test command: from the cheapest proof that something is wrong to the most thorough. */
const stages: readonly Stage[] = [
  {
    title: "types and lint",
    commands: [
      // With several threads each would work out the same types for itself, for up to twice the processor time.
      ["tsc", "-b", "--singleThreaded"],
      ["biome", "check", "--error-on-warnings", "."],
      ["env", "GOMAXPROCS=1", "oxlint", "--type-aware"],
    ],
    beside: true,
  },
  // Behind the types: it finds what the compiler has written of the packages, and only bundles.
  { title: "build", commands: [["node", "run-turbo.ts", "build"]] },
  {
    title: "browser, and the console for it, and the services of the proofs",
    commands: [
      ["node", "test/console/bring-browser-command.ts"],
      ["node", "test/console/build-console-command.ts"],
      ["node", "test/proof/bundle-services-command.ts"],
    ],
  },
  {
    title: "architecture rules, documents, published form",
    commands: [[...vitest, ...ofTheRepository.map((part) => `test/${part}`)]],
    counts: true,
  },
  {
    title: "tests",
    commands: [
      [
        ...vitest,
        ...ofTheRepository.flatMap((part) => [`--exclude=test/${part}/**`, `--exclude=test/${part}.test.ts`]),
      ],
    ],
    counts: true,
  },
];

const { values } = parseArgs({ options: { "busy-loops": { type: "string", default: "0" } } });
const isAlone = values["busy-loops"] === "0";
const factorNow = async (): Promise<number[]> => (isAlone ? [(await calibrate()).factor] : []);
const before = await factorNow();
const began = performance.now();
await using _busy = await startBusyLoops(Number(values["busy-loops"]));
// The second stage builds; tests that start the command as a process start what is built.
process.env.TEST_BUILT_COMMAND = "1";
const { passed, failed, files } = await runStages(stages, {
  cwd: new URL("../..", import.meta.url).pathname,
  print: (line) => console.log(line),
});
const seconds = (performance.now() - began) / 1_000;
if (files.length > 0) console.log(`\n${slowestFiles(files).join("\n")}`);
if (isAlone) console.log(`\n${durationLine(seconds, [...before, ...(await factorNow())])}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
