/**
 * Measures how long lists, searches and pages of sessions take as a store grows to 10,000 sessions of 200 turns, asked of
 * the built service over HTTP. It prints a table, holds the bound of `docs/performance.md`, and writes the numbers to `bench/out/`.
 */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { holdBounds } from "./bounds.ts";
import { calibrate, calibrationLine, slower } from "./calibration.ts";
import { type Server, startServer } from "./process.ts";
import { openSessionStore, sessionName, TERMS, TURNS } from "./session-store.ts";
import { newHome, serviceMain } from "./targets.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,2500,5000,10000" },
    /** Of each question at each size. */
    requests: { type: "string", default: "100" },
    /** A folder with a store that an earlier run made of the last size, and left; or where to leave one. */
    home: { type: "string" },
  },
});
const sizes = values.sizes.split(",").map(Number);
const requests = Number(values.requests);
/** Requests of each kind that are not counted: code is compiled and pages are read. */
const WARM_UP = 10;
const out = fileURLToPath(new URL("out/", import.meta.url));

/** What is asked, by the number of sessions there are. */
const QUESTIONS: Readonly<Record<string, (sessions: number) => string>> = {
  "list, newest page": () => "",
  "search, a word of one session": (sessions) => `?search=${TERMS.only(someOf(sessions))}`,
  "search, a word of 1 in 100 messages": () => `?search=${TERMS.seldom}`,
  "search, a word of every second message": () => `?search=${TERMS.common}`,
  "search, two common words": () => `?search=${TERMS.common}+${TERMS.seldom}`,
  "search, a word that does not occur": () => "?search=zeppelin",
  "record of a session": (sessions) => `/${sessionName(someOf(sessions))}`,
  "turns of a session, newest page": (sessions) => `/${sessionName(someOf(sessions))}/turns`,
};

function someOf(sessions: number): number {
  return Math.floor(Math.random() * sessions);
}

function startService(home: string): Promise<Server> {
  const env = { SVC_HOME: home, SVC_CONFIG_DIR: join(home, "config"), SVC_MODEL: "scripted:demo" };
  return startServer({ args: [serviceMain, "--port", "0"], port: /A2A +http:\/\/127\.0\.0\.1:(\d+)/, env });
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function timed(url: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - began;
}

function urlOf(port: number, path: string): string {
  return `http://127.0.0.1:${port}/api/chat/sessions${path}`;
}

interface Row {
  readonly sessions: number;
  readonly question: string;
  readonly median: number;
  readonly p95: number;
}

async function measure(port: number, sessions: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [question, path] of Object.entries(QUESTIONS)) {
    const times: number[] = [];
    for (let i = 0; i < WARM_UP; i++) await timed(urlOf(port, path(sessions)));
    for (let i = 0; i < requests; i++) times.push(await timed(urlOf(port, path(sessions))));
    const sorted = times.toSorted((a, b) => a - b);
    rows.push({ sessions, question, median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) });
  }
  return rows;
}

/** The most a question may take at any size, in the middle. */
const MOST_MS = 50;

const home = values.home ?? newHome();
const before = await calibrate();
try {
  mkdirSync(join(home, "config"), { recursive: true });
  // Readers of their own stores would read two million turns behind the questions.
  const off = "telemetry: {enabled: false}\nmiddleware: {audit: false}\nprompts: {capture: false}\n";
  const file = join(home, "checkpoints.db");
  writeFileSync(join(home, "config", "agent-config.yaml"), `${off}checkpoint: {db_path: ${file}}\n`);
  const found: Row[] = [];
  let made = existsSync(file) ? (sizes.at(-1) ?? 0) : 0;
  for (const size of sizes.filter((one) => one >= made)) {
    const began = performance.now();
    const store = await openSessionStore(file, sizes.at(-1) ?? 0, made);
    await store.add(size - made);
    await store.close();
    made = size;
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const mb = (statSync(file).size / 2 ** 20).toFixed(0);
    console.log(`\n${size} sessions of ${TURNS} turns, ${mb} MB, made in ${seconds} s: median and p95 in ms`);
    const server = await startService(home);
    try {
      for (const row of await measure(server.port, size)) {
        found.push(row);
        console.log(
          `  ${row.question.padEnd(42)} ${row.median.toFixed(1).padStart(7)} ${row.p95.toFixed(1).padStart(7)}`,
        );
      }
    } finally {
      await server.kill();
    }
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}`;
  const calibration = slower(before, await calibrate());
  console.log(`\n${calibrationLine(calibration)}`);
  const numbers = { date: new Date().toISOString(), machine, calibration, requests, rows: found };
  writeFileSync(join(out, "sessions.json"), `${JSON.stringify(numbers, undefined, 2)}\n`);
  const slowest = found.toSorted((a, b) => b.median - a.median)[0];
  const what = `the slowest question, ${slowest?.question} of ${slowest?.sessions} sessions, median, ms`;
  holdBounds([{ what, found: slowest?.median, most: MOST_MS, isTime: true }], calibration.factor);
} finally {
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
}
