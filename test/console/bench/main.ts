/**
 * Measures the built console in a browser, with the browser's own tracing: how much its first page loads and how soon a chat can
 * be used after it, typing and frames while 200 tokens a second stream in with formulas and a diagram, and how soon a conversation
 * of 10,000 messages can be used. It prints a table, holds the bounds of `docs/performance.md`, and writes the numbers to `bench/out/`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { INITIAL_LIMIT } from "../../../apps/console/build/size-report.ts";
import { holdBounds } from "../../../bench/bounds.ts";
import { calibrate, calibrationLine, REFERENCE, slower } from "../../../bench/calibration.ts";
import { startServer } from "../../../bench/process.ts";
import { openSessionStore, sessionName } from "../../../bench/session-store.ts";
import { newHome, serviceCommand, startGateway } from "../../../bench/targets.ts";
import { bringBrowser } from "../rig/bring-browser.ts";
import { thisMachine } from "../rig/this-machine.ts";
import { firstPageBytes } from "./first-page-bytes.ts";
import { type FirstPage, firstPage, type Opened, opening, type Typing, typing } from "./rounds.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    /** Of each stream. */
    seconds: { type: "string", default: "8" },
    rate: { type: "string", default: "200" },
    messages: { type: "string", default: "10000" },
  },
});
const out = fileURLToPath(new URL("../../../bench/out/", import.meta.url));
const consoleDist = fileURLToPath(new URL("../../../apps/console/dist/", import.meta.url));
const rate = Number(values.rate);

const worst = (all: readonly number[]): number => Math.max(...all);
const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN;
/** A row of the table; the median of what has a bound is held to it. */
interface Row {
  readonly label: string;
  readonly all: readonly number[];
  readonly most?: number;
}

const before = await calibrate();
const home = newHome();
const gateway = await startGateway();
try {
  mkdirSync(join(home, "config"), { recursive: true });
  const file = join(home, "checkpoints.db");
  writeFileSync(join(home, "config", "agent-config.yaml"), `checkpoint: {db_path: ${file}}\n`);
  const turns = Number(values.messages) / 2;
  const store = await openSessionStore(file, 1, 0, turns);
  await store.add(1);
  await store.close();
  const { args, port, env } = serviceCommand(gateway, home);
  const server = await startServer({ args, port, env: { ...env, A2A_AUTH_TOKEN: "", SVC_HEADLESS_SETUP: "true" } });
  const root = `http://127.0.0.1:${server.port}`;
  const page = (await (await fetch(`${root}/api/chat/sessions/${sessionName(0)}/turns?limit=1`)).json()) as {
    readonly turns: readonly { readonly text?: string }[];
  };
  const newest = (page.turns[0]?.text ?? "").slice(0, 60);
  const browser = await chromium.launch({ executablePath: await bringBrowser(thisMachine("whole")) });
  const firsts: FirstPage[] = [];
  const typed: Typing[] = [];
  const opens: Opened[] = [];
  try {
    for (let run = 0; run < Number(values.runs); run++) {
      firsts.push(await firstPage(browser, root));
      opens.push(await opening(browser, root, { session: sessionName(0), newest }));
      typed.push(await typing(browser, root, { seconds: Number(values.seconds), rate }));
      console.error(`run ${run + 1} of ${values.runs}`);
    }
  } finally {
    await browser.close();
    await server.kill();
  }
  const calibration = slower(before, await calibrate());
  // A browser forces nothing to disk: only the processor's part slows it.
  const factor = calibration.cpuMs / REFERENCE.cpuMs;
  const bytes = firstPageBytes(consoleDist);
  const rows: readonly Row[] = [
    { label: "first page has arrived", all: firsts.map(({ arrivedMs }) => arrivedMs) },
    {
      label: "  from then until a letter is in the message box",
      all: firsts.map(({ arrivedMs, usableMs }) => usableMs - arrivedMs),
      most: 500,
    },
    {
      label: "typing in a page at rest, key to frame, median key",
      all: typed.map((one) => median(one.atRest.keyToFrameMs)),
    },
    { label: "  of it the page's own part", all: typed.map((one) => median(one.atRest.keyToCommitMs)) },
    {
      label: `typing at ${rate} tokens/s, key to frame, median key`,
      all: typed.map((one) => median(one.streaming.keyToFrameMs)),
    },
    {
      label: "  of it the page's own part, median key",
      all: typed.map((one) => median(one.streaming.keyToCommitMs)),
      most: 16,
    },
    { label: "  worst key", all: typed.map((one) => worst(one.streaming.keyToFrameMs)) },
    { label: "  until its handling begins, worst key", all: typed.map((one) => one.streaming.inputDelayMs), most: 50 },
    { label: `longest frame at ${rate} tokens/s`, all: typed.map((one) => one.streaming.longestFrameMs), most: 50 },
    { label: "  processor time of the longest task", all: typed.map((one) => one.streaming.longestTaskCpuMs) },
    { label: "  the answer stood still, longest", all: typed.map((one) => one.stoodStillMs) },
    { label: `${values.messages} messages: the newest one is shown`, all: opens.map(({ shownMs }) => shownMs) },
    { label: `${values.messages} messages: usable`, all: opens.map(({ usableMs }) => usableMs), most: 1_000 },
    {
      label: `${values.messages} messages: longest frame while scrolled`,
      all: opens.map((one) => one.scrolled.longestFrameMs),
      most: 100,
    },
  ];
  console.log(`\n${calibrationLine(calibration)}\ntimes are held × the processor's part, ${factor.toFixed(2)}`);
  console.log(`\n  milliseconds${" ".repeat(41)} median  worst`);
  for (const { label, all } of rows)
    console.log(`  ${label.padEnd(52)} ${median(all).toFixed(0).padStart(6)} ${worst(all).toFixed(0).padStart(6)}`);
  holdBounds(
    [
      {
        what: "JavaScript of the first page, kB of gzip",
        found: bytes / 1_000,
        most: INITIAL_LIMIT / 1_000,
        isTime: false,
      },
      ...rows.flatMap(({ label, all, most }) =>
        most === undefined ? [] : [{ what: `${label.trim()}, ms`, found: median(all), most, isTime: true }],
      ),
    ],
    factor,
  );
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${browser.version()}`;
  const numbers = {
    date: new Date().toISOString(),
    machine,
    calibration,
    settings: values,
    bytes,
    firsts,
    typed,
    opens,
  };
  writeFileSync(join(out, "console.json"), `${JSON.stringify(numbers, undefined, 2)}\n`);
} finally {
  await gateway.kill();
  rmSync(home, { recursive: true, force: true });
}
