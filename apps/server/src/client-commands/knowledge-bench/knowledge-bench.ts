/** `agent-service knowledge bench`. */
import { readFile } from "node:fs/promises";
import type { CommandContext } from "../command.ts";
import { CommandProblem, usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, refuseArguments, textFlag } from "../flag-values.ts";
import { columns, oneLine } from "../terminal-text.ts";
import { measureRecall } from "./measure-recall.ts";
import { type ExportedMemory, headingQuestions, questionsOf, type RecallQuestion } from "./questions.ts";

/** Questions that are made, unless said otherwise. */
const MADE = 100;
/** Missed questions that are named. */
const NAMED = 10;

export async function knowledgeBench(context: CommandContext): Promise<ExitCode> {
  const { flags, io, json, note, positionals, write, writeJson } = context;
  refuseArguments("knowledge bench", positionals.slice(1));
  const domain = textFlag(flags, "domain") ?? "";
  const file = textFlag(flags, "questions");
  const questions = file === undefined ? await madeQuestions(context, domain) : questionsOf(await textOf(file));
  if (questions.length === 0) {
    const why = "there is nothing to ask: no memory has a heading or a subject; --questions <file> takes your own";
    throw new CommandProblem("nothing-to-ask", why);
  }
  const measured = await measureRecall(context, questions, domain);
  if (json) {
    writeJson({ questions: questions.length, made: file === undefined, ...measured });
    return EXIT.ok;
  }
  const cells = measured.modes.map((one) => [
    ...[one.mode, one.recall_at_1.toFixed(2), one.recall_at_5.toFixed(2), one.mean_reciprocal_rank.toFixed(2)],
    ...[`${one.p50_ms} ms`, `${one.p95_ms} ms`, String(one.missed.length)],
  ]);
  write(columns(["SEARCH", "FIRST", "FIRST 5", "MRR", "MEDIAN", "SLOW", "MISSED"], cells, io.stdout));
  note(
    `${questions.length} questions${file === undefined ? ", made of headings, which words find by themselves" : ""}.\n`,
  );
  if (measured.indexing) note("Some memories have no vector yet; measure again when they have.\n");
  if (measured.degraded)
    note("Some questions could not be searched by meaning: the endpoint fails, or was not asked yet.\n");
  const missed = measured.modes.at(-1)?.missed ?? [];
  for (const text of missed.slice(0, NAMED)) note(`missed: ${oneLine(text)}\n`);
  if (missed.length > NAMED) note(`and ${missed.length - NAMED} more; --json names all of them\n`);
  return EXIT.ok;
}

async function madeQuestions({ api, flags }: CommandContext, domain: string): Promise<readonly RecallQuestion[]> {
  const answer = await api.get("/api/knowledge/export", { query: { domain } });
  const lines = (await answer.text()).split("\n").filter((line) => line !== "");
  const memories = lines.map((line) => JSON.parse(line) as ExportedMemory);
  return headingQuestions(memories, flags.limit === undefined ? MADE : limitFlag(flags));
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw usage(`the file cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
}
