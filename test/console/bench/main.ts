/**
 * Measures the built console in a browser, with the browser's own tracing: typing and frames while 100 tokens a second
 * stream in, and how soon a conversation of 10,000 messages can be used. It prints a table, holds the bounds of
 * `docs/performance.md`, and writes the numbers to `bench/out/`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { holdBounds } from "../../../bench/bounds.ts";
import { calibrate, calibrationLine, slower } from "../../../bench/calibration.ts";
import { startServer } from "../../../bench/process.ts";
import { openSessionStore, sessionName } from "../../../bench/session-store.ts";
import { newHome, serviceCommand, startGateway } from "../../../bench/targets.ts";
import { bringBrowser } from "../rig/bring-browser.ts";
import { thisMachine } from "../rig/this-machine.ts";
import { type FrameFindings, readTrace, TRACE_CATEGORIES } from "./read-trace.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    /** Of each stream. */
    seconds: { type: "string", default: "8" },
    rate: { type: "string", default: "100" },
    messages: { type: "string", default: "10000" },
  },
});
const out = fileURLToPath(new URL("../../../bench/out/", import.meta.url));
const TYPED = "While it answers, a person types the next message at the speed of people. ";

/** Traces what a page does meanwhile. It requests frames all the time, so that a late one is seen. */
async function traced(browser: Browser, page: Page, work: () => Promise<void>): Promise<FrameFindings> {
  await page.evaluate(() => {
    const frame = (): void => void requestAnimationFrame(frame);
    frame();
  });
  await browser.startTracing(page, { categories: [...TRACE_CATEGORIES] });
  await work();
  return readTrace(await browser.stopTracing());
}

/** Types while an answer streams in. */
async function streaming(browser: Browser, root: string): Promise<FrameFindings> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${root}/app/chat/new`);
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill(`paced ${Number(values.seconds) * Number(values.rate)} ${values.rate}`);
  await box.press("Enter");
  await page.getByText("nightly").first().waitFor();
  const found = await traced(browser, page, async () => {
    const until = performance.now() + Number(values.seconds) * 900;
    while (performance.now() < until) await box.pressSequentially(TYPED, { delay: 60 });
  });
  await page.close();
  return found;
}

interface Opened {
  /** From the beginning of the navigation until its newest message stood, in milliseconds. */
  readonly shownMs: number;
  /** Until a letter typed into the message box stood there. */
  readonly usableMs: number;
  /** While it was scrolled from its end by the wheel. */
  readonly scrolled: FrameFindings;
}

/** Opens the long conversation in a fresh page. */
async function opening(browser: Browser, root: string, newest: string): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${root}/app/chat/${sessionName(0)}`, { waitUntil: "commit" });
  await page.getByText(newest).first().waitFor();
  const shownMs = await page.evaluate(() => performance.now());
  await page.getByRole("textbox", { name: "Message" }).press("a");
  const usableMs = await page.evaluate(() => performance.now());
  await page.mouse.move(800, 400);
  const scrolled = await traced(browser, page, async () => {
    for (let turn = 0; turn < 60; turn++) {
      await page.mouse.wheel(0, -300);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  });
  await page.close();
  return { shownMs, usableMs, scrolled };
}

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
  const browser = await chromium.launch({ executablePath: await bringBrowser(thisMachine()) });
  const streams: FrameFindings[] = [];
  const opens: Opened[] = [];
  try {
    for (let run = 0; run < Number(values.runs); run++) {
      opens.push(await opening(browser, root, newest));
      streams.push(await streaming(browser, root));
      console.error(`run ${run + 1} of ${values.runs}`);
    }
  } finally {
    await browser.close();
    await server.kill();
  }
  const calibration = slower(before, await calibrate());
  const rows: readonly Row[] = [
    {
      label: `input delay, typing at ${values.rate} tokens/s, worst key`,
      all: streams.map((one) => one.inputDelayMs),
      most: 50,
    },
    { label: "  from the key to what it shows, worst key", all: streams.map((one) => one.inputToFrameMs) },
    { label: `longest frame at ${values.rate} tokens/s`, all: streams.map((one) => one.longestFrameMs), most: 100 },
    { label: `${values.messages} messages: the newest one is shown`, all: opens.map(({ shownMs }) => shownMs) },
    { label: `${values.messages} messages: usable`, all: opens.map(({ usableMs }) => usableMs), most: 1_000 },
    {
      label: `${values.messages} messages: longest frame while scrolled`,
      all: opens.map((one) => one.scrolled.longestFrameMs),
      most: 100,
    },
  ];
  console.log(`\n${calibrationLine(calibration)}\n\n  milliseconds${" ".repeat(41)} median  worst`);
  for (const { label, all } of rows)
    console.log(`  ${label.padEnd(52)} ${median(all).toFixed(0).padStart(6)} ${worst(all).toFixed(0).padStart(6)}`);
  holdBounds(
    rows.flatMap(({ label, all, most }) =>
      most === undefined ? [] : [{ what: `${label}, ms`, found: median(all), most, isTime: true }],
    ),
    calibration.factor,
  );
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${browser.version()}`;
  const numbers = { date: new Date().toISOString(), machine, calibration, settings: values, streams, opens };
  writeFileSync(join(out, "console.json"), `${JSON.stringify(numbers, undefined, 2)}\n`);
} finally {
  await gateway.kill();
  rmSync(home, { recursive: true, force: true });
}
