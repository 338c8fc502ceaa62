/** The lines of turns: made many at a time, and in what is seen of the log as if each had been made at once. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createRedactor } from "@agent-service/agent-core/host";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogging, type LoggingOptions } from "./create-logging.ts";
import type { LogRecord } from "./log-record.ts";

const START = Date.parse("2026-11-22T10:00:00.000Z");

function capture(options: Partial<LoggingOptions> = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const logging = createLogging({ level: "INFO", format: "json", redact: (text) => text, write, ...options });
  const messages = () => lines.map((line) => (JSON.parse(line) as LogRecord).msg);
  return { ...logging, lines, messages };
}

describe("a plain record", () => {
  beforeEach(() => void vi.useFakeTimers({ now: START }));
  afterEach(() => void vi.useRealTimers());

  it("is written within 50 ms, with the time and the values of its event", () => {
    const { plain, lines } = capture();
    plain.info({ n: 1 }, "turn ended");
    vi.advanceTimersByTime(49);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(lines).toEqual([`{"time":"2026-11-22T10:00:00.000Z","level":"INFO","msg":"turn ended","n":1}\n`]);
    vi.advanceTimersByTime(7);
    plain.info({ n: 2 }, "turn ended");
    vi.advanceTimersByTime(50);
    expect(lines.slice(1)).toEqual([`{"time":"2026-11-22T10:00:00.057Z","level":"INFO","msg":"turn ended","n":2}\n`]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["info", "warn", "error"] as const)("comes before the %s that follows it", (level) => {
    const { plain, logger, messages } = capture();
    plain.info({}, "turn 1");
    plain.info({}, "turn 2");
    logger[level]("after");
    plain.info({}, "turn 3");
    logger.child({ part: "core" })[level]("last");
    expect(messages()).toEqual(["turn 1", "turn 2", "after", "turn 3", "last"]);
  });

  it("is in the kept lines as soon as it is logged", () => {
    const { plain, logger, ring, lines } = capture({ bufferLines: 10 });
    logger.info("before");
    plain.info({ n: 1 }, "turn ended");
    const { records } = ring!.tail(10);
    expect(records.map(({ msg }) => msg)).toEqual(["before", "turn ended"]);
    expect(records.map((record) => `${JSON.stringify(record)}\n`)).toEqual(lines);
  });

  it("goes to the sinks there were when it was logged, and to no other", () => {
    const { plain, addSink, messages } = capture();
    const seen: string[] = [];
    const sink = (name: string) => addSink(({ msg }) => void seen.push(`${name} ${msg}`));
    const removeFirst = sink("first");
    plain.info({}, "turn 1");
    const removeSecond = sink("second");
    plain.info({}, "turn 2");
    removeFirst();
    plain.info({}, "turn 3");
    removeSecond();
    expect(seen).toEqual(["first turn 1", "first turn 2", "second turn 2", "second turn 3"]);
    expect(messages()).toEqual(["turn 1", "turn 2", "turn 3"]);
  });

  it("is written once, and none twice by a sink that removes itself", () => {
    const { plain, addSink, deliverWaiting, messages } = capture();
    const remove = addSink(() => remove());
    for (const turn of ["turn 1", "turn 2"]) plain.info({}, turn);
    deliverWaiting();
    deliverWaiting();
    vi.advanceTimersByTime(1_000);
    expect(messages()).toEqual(["turn 1", "turn 2"]);
  });

  it("waits only while there are few: 256 are written at once", () => {
    const { plain, lines } = capture();
    for (let n = 0; n < 255; n++) plain.info({ n }, "turn ended");
    expect(lines).toHaveLength(0);
    plain.info({ n: 255 }, "turn ended");
    expect(lines.map((line) => (JSON.parse(line) as LogRecord).n)).toEqual(Array.from({ length: 256 }, (_, n) => n));
    plain.info({}, "later");
    vi.advanceTimersByTime(50);
    expect(lines).toHaveLength(257);
  });

  it.each(["text", "json"] as const)(
    "shows no secret among clean ones, also one that became known meanwhile (%s)",
    (format) => {
      const secrets = ["first-secret"];
      const { text } = createRedactor({ secrets: () => secrets });
      const { plain, ring, deliverWaiting, lines } = capture({ format, redact: text, bufferLines: 10 });
      plain.info({ session: "clean" }, "turn ended");
      plain.info({ session: "a first-secret b" }, "turn ended");
      plain.info({ session: 'quoted "first-secret"' }, "turn ended");
      plain.info({ session: "late-secret" }, "turn ended");
      secrets.push("late-secret");
      deliverWaiting();
      expect(lines).toHaveLength(4);
      expect(ring!.tail(10).records.map(({ session }) => session)).toEqual(["clean", "a *** b", 'quoted "***"', "***"]);
      expect(lines.join("")).not.toMatch(/first-secret|late-secret/);
    },
  );
});

it("is on standard output when the process ends, whatever ended it", async () => {
  const open = new URL("open-log.ts", import.meta.url).href;
  const end = {
    exit: "process.exit(0)",
    release: "log.release(); process.reallyExit(0)",
    flush: "await log.flush(); process.reallyExit(0)",
    "an empty event loop": "",
  };
  const outputs = await Promise.all(
    Object.values(end).map(async (body) => {
      const script = `import { openLog } from ${JSON.stringify(open)};
        const log = openLog({ environment: { logLevel: "INFO", logFormat: "text", logBufferLines: 0 }, secrets: () => [], warnings: [] });
        log.logging.logger.info("started"); log.logging.plain.info({}, "turn 1"); log.logging.plain.info({}, "turn 2"); ${body}`;
      const args = ["--conditions=@agent-service/source", "--input-type=module", "-e", script];
      return (await promisify(execFile)(process.execPath, args)).stdout;
    }),
  );
  const words = outputs.map((output) => [...output.matchAll(/started|turn \d/g)].map(([word]) => word));
  expect(words).toEqual(Object.keys(end).map(() => ["started", "turn 1", "turn 2"]));
});
