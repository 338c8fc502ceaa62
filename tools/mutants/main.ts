/** `pnpm mutants <folder>`: breaks each piece of a folder's code in turn and prints which breaks no test detects. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findFolder } from "./find-folder.ts";
import { keyOf, openOf, printReport, readReport, withoutFile } from "./mutant-report.ts";
import { runStryker } from "./run-stryker.ts";

const USAGE = `Usage: pnpm mutants <folder> [--sample <n>] [--seed <text>] [--survivors] [--tests <folder>]…
                             [--file <name>] [--every-test]
  <folder>     journal, chat/live, apps/server/src/access …
  --sample     so many mutants, drawn by the seed, instead of all
  --survivors  only what survived the last runs of this folder
  --tests      the tests of these folders too, not only those of the folder itself
  --file       only this file of the folder; the report keeps the others
  --every-test all the tests for each mutant, for code that runs in a thread of its own`;

const root = fileURLToPath(new URL("../..", import.meta.url));

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: "string" },
      seed: { type: "string", default: "1" },
      survivors: { type: "boolean", default: false },
      tests: { type: "string", multiple: true, default: [] },
      file: { type: "string" },
      "every-test": { type: "boolean", default: false },
    },
  });
  const [name, ...others] = positionals;
  const sample = values.sample === undefined ? undefined : Number(values.sample);
  if (name === undefined || others.length > 0 || (sample !== undefined && !(Number.isInteger(sample) && sample > 0))) {
    throw new Error(USAGE);
  }
  const folder = findFolder(root, name);
  const file = path.join(root, ".cache/mutants", `${folder.replaceAll("/", "-")}.jsonl`);
  const open = existsSync(file) ? openOf(readReport(readFileSync(file, "utf8")).mutants) : undefined;
  if (values.survivors && open === undefined)
    throw new Error(`${folder} was not tried yet: run it once without --survivors`);
  if (!values.survivors) {
    mkdirSync(path.dirname(file), { recursive: true });
    // Of the other files, what is known stays where only one is tried.
    const kept =
      values.file === undefined || !existsSync(file) ? "" : withoutFile(readFileSync(file, "utf8"), values.file);
    writeFileSync(file, kept);
  }
  await runStryker({
    root,
    folder,
    tests: [folder, ...values.tests.map((tests) => findFolder(root, tests))],
    chosen: {
      seed: values.seed,
      ...(sample !== undefined && { sample }),
      ...(values.survivors && { keys: open!.map(keyOf) }),
    },
    report: file,
    everyTest: values["every-test"],
    ...(values.file === undefined ? {} : { file: values.file }),
  });
  console.log(printReport(folder, readReport(readFileSync(file, "utf8")), ({ file }) => path.join(root, file)));
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
