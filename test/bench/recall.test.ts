import { expect, test } from "vitest";
import { corpus } from "../../bench/recall/corpus/corpus.ts";
import { denseEmbeddingOf } from "../../bench/recall/dense-embedding.ts";
import { measureMode } from "../../bench/recall/measure-quality.ts";
import { qualityReport } from "../../bench/recall/quality-report.ts";
import { embeddingDouble } from "../../packages/agent-core/src/testing/index.ts";

const own = corpus();
const share = (figures: Awaited<ReturnType<typeof measureMode>>, name: string): number =>
  figures.classes.find((one) => one.class === name)?.recalled ?? Number.NaN;

test("the corpus has 400 notes and 182 questions, whose answers are among the notes", () => {
  const keys = new Set(own.notes.map(({ key }) => key));
  expect([own.notes.length, keys.size, own.questions.length]).toEqual([400, 400, 182]);
  expect(own.questions.flatMap(({ answers }) => answers).filter((key) => !keys.has(key))).toEqual([]);
  expect(corpus()).toEqual(own);
});

test("words find what is asked for, nothing that was corrected, and hardly ever something where there is nothing", async () => {
  const found = await measureMode([own]);
  const report = qualityReport([found]);
  for (const [name, least] of Object.entries({
    ...{ exact: 0.95, identifier: 0.95, correction: 0.95, time: 0.6 },
    ...{ "several sessions": 0.9, "Chinese and Japanese": 0.9 },
  }))
    expect(share(found, name), `${name}\n${report}`).toBeGreaterThanOrEqual(least);
  expect([found.superseded, found.unanswerable]).toEqual([0, 52]);
  expect(found.injected.length / found.unanswerable, report).toBeLessThanOrEqual(0.05);
});

test("vectors find what is said in other words", async () => {
  const notes = own.notes.filter(({ key }) => /^(?:workshop|private) /.test(key));
  const questions = own.questions.filter((one) => ["paraphrase", "nothing to find"].includes(one.class));
  await using double = await embeddingDouble();
  double.embed = denseEmbeddingOf;
  const [byWords, both] = [
    await measureMode([{ notes, questions }]),
    await measureMode([{ notes, questions }], double.baseUrl),
  ];
  expect(share(both, "paraphrase")).toBeGreaterThan(share(byWords, "paraphrase") + 0.1);
  expect(both.injected.length / both.unanswerable).toBeLessThanOrEqual(0.15);
});
