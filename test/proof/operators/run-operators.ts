/** Operators who do everything at once; the service is stopped and killed now and then, and nothing of it fails. */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { askOperator } from "../ask-operator.ts";
import { placesOf } from "../kill-memory/check-memories.ts";
import { newTrialFolder } from "../killed-life.ts";
import { Ledger } from "../ledger.ts";
import { createRandom, type Random } from "../random.ts";
import { runLives } from "../run-lives.ts";
import { type ServiceLife, startLife } from "../service-life.ts";
import { LostError } from "../wire.ts";
import { strayRows } from "./check-rows.ts";
import { type Answer, OPERATIONS, type Operator } from "./operations.ts";

const OPERATORS = 8;
/** What an answer of 503 may say: the operators switch things off, and a deletion goes on by itself. */
const UNAVAILABLE = /switched off|goes on by itself/;
const COMPLAINT = /\b(error|stack)\b|cannot continue|removed at the next start/i;

/** What is to be run. */
export interface OperatorsRun {
  readonly seed: string;
  /** Operations of each life. */
  readonly operations: number;
  /** Lives; each second one is killed. */
  readonly lives: number;
}

/** What it came to. */
export interface OperatorsReport {
  readonly answers: number;
  readonly hushed: number;
  readonly violations: readonly string[];
  /** Kept where something was violated. */
  readonly folder: string;
}

export async function runOperators({ seed, operations, lives }: OperatorsRun): Promise<OperatorsReport> {
  const random = createRandom(seed);
  const root = mkdtempSync(`${tmpdir()}/proof-operators-`);
  const folder = newTrialFolder(root, { onRestart: "auto", settings: "" });
  const ledger = new Ledger();
  const words: string[] = [];
  let answers = 0;
  const trial = { folder, ledger, life: undefined as ServiceLife | undefined };

  const ask = async (url: string, method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await askOperator<Answer["body"]>(url, { method, path, body });
    answers++;
    const { status } = answer;
    const isRefused = status === 503 && UNAVAILABLE.test(JSON.stringify(answer.body));
    if (status >= 500 && !isRefused) ledger.blame(`${method} ${path}: ${status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const hush = (own: Random): string => {
    // As `placesOf` looks for them: eight letters in the middle of a word.
    const word = `hushed${Array.from({ length: 8 }, () => String.fromCharCode(97 + own.int(0, 25))).join("")}`;
    words.push(word);
    return word;
  };

  /** Resolves once all is done, or the service has gone. */
  const work = async (url: string, own: Random): Promise<void> => {
    let left = operations;
    const one = async (number: number): Promise<void> => {
      const at = own.fork(number);
      const operator: Operator = {
        random: at,
        ask: (method, path, body) => ask(url, method, path, body),
        hush: () => hush(at),
      };
      while (left-- > 0) await at.pick(OPERATIONS)(operator);
    };
    const ends = await Promise.allSettled(Array.from({ length: OPERATORS }, (_, number) => one(number)));
    const failure = ends.find((end) => end.status === "rejected");
    if (failure?.status === "rejected") throw failure.reason;
  };

  const live = async (number: number, isLast: boolean): Promise<void> => {
    const life = startLife(folder, undefined, process.env.NODE_COMPILE_CACHE ?? `${root}/cache`);
    trial.life = life;
    const url = await life.ready;
    if (url === undefined) throw new Error("the service did not start");
    if (isLast) {
      await life.idle();
      // A removal waits for what lags behind the journal: else it would be read at the next start, after the look at the rows.
      await ask(url, "DELETE", "/api/chat/sessions/none");
    } else {
      await ask(url, "POST", "/api/tasks/issues", { title: "the first" });
      await work(url, random.fork(`life${number}`));
    }
    const isKilled = !isLast && number % 2 === 1;
    if (isKilled) life.kill();
    else life.stop();
    const { log, killed } = await life.gone;
    appendFileSync(`${root}/service.log`, log);
    if (killed !== isKilled) ledger.blame("the service ended by itself");
    const complaints = log.split("\n").filter((line) => COMPLAINT.test(line));
    for (const line of new Set(complaints)) ledger.blame(`its log: ${line.slice(0, 300)}`);
  };

  await runLives(trial, async () => {
    for (let number = 0; number < lives; number++) await live(number, false);
    // All of it has an end, and what was to be forgotten is.
    await live(lives, true);
  }).catch((error: unknown) => {
    if (!(error instanceof LostError)) throw error;
    ledger.blame("the service went away");
  });
  for (const stray of strayRows(`${root}/agent.db`)) ledger.blame(stray);
  for (const place of placesOf(root, words)) ledger.blame(`what was incognito is in ${place}`);
  const { violations } = ledger;
  if (violations.length === 0) rmSync(root, { recursive: true, force: true });
  return { answers, hushed: words.length, violations, folder: root };
}
