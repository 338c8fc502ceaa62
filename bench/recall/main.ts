/**
 * `pnpm bench:recall [--only quality|speed] [--set <file>]`: how much of what is remembered is found, and how fast. It prints tables and holds
 * the bounds of `docs/performance.md`.
 */
import { parseArgs } from "node:util";
import { embeddingDouble } from "@agent-service/agent-core/testing";
import { holdBounds } from "../bounds.ts";
import { calibrate, calibrationLine, REFERENCE, slower } from "../calibration.ts";
import { corpus } from "./corpus/corpus.ts";
import { denseEmbeddingOf } from "./dense-embedding.ts";
import { readForeignSet } from "./foreign-sets.ts";
import { measureMode, measureSigns } from "./measure-quality.ts";
import { measureSpeed, speedBounds, speedReport } from "./measure-speed.ts";
import { qualityBounds, qualityReport } from "./quality-report.ts";

const { values } = parseArgs({
  options: {
    /** A file of LongMemEval or LoCoMo, measured in place of the own corpus. */
    set: { type: "string" },
    /** Collections of that file that are measured. */
    most: { type: "string", default: "50" },
    /** `quality` or `speed`; both unless said otherwise. */
    only: { type: "string" },
    /** Memories in the store whose speed is measured. */
    sizes: { type: "string", default: "1000,10000,100000" },
  },
});

async function quality(): Promise<void> {
  await using double = await embeddingDouble();
  double.embed = denseEmbeddingOf;
  console.log("Vectors are the suite's: letters in threes and a table of synonyms. They are no model's.\n");
  if (values.set !== undefined) {
    const collections = readForeignSet(values.set, Number(values.most));
    const modes = [await measureMode(collections), await measureMode(collections, double.baseUrl)];
    console.log(qualityReport(modes));
    return;
  }
  const own = corpus();
  const modes = [await measureMode([own]), await measureMode([own], double.baseUrl)];
  const signs = await measureSigns(own, double.baseUrl);
  console.log(`${own.notes.length} notes, ${own.questions.length} questions\n\n${qualityReport(modes, signs)}`);
  holdBounds(qualityBounds(modes, signs), 1);
}

async function speed(): Promise<void> {
  await using double = await embeddingDouble();
  double.embed = denseEmbeddingOf;
  const before = await calibrate();
  const figures = await measureSpeed(corpus().notes, values.sizes.split(",").map(Number), double.baseUrl);
  const calibration = slower(before, await calibrate());
  console.log(`${speedReport(figures)}\n\n${calibrationLine(calibration)}`);
  // Nothing here waits for the disk.
  holdBounds(speedBounds(figures), Math.max(1, calibration.cpuMs / REFERENCE.cpuMs));
}

if (values.only !== "speed") await quality();
if (values.only !== "quality" && values.set === undefined) await speed();
