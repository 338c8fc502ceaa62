import type { InnerCalls } from "@agent-service/plugin-sdk";
import { describe, expect, test } from "vitest";
import { manualClock } from "../testing/index.ts";
import { runScript } from "./run-script.ts";

const start = { code: "", names: ["look"], startedAt: 0, seed: [1, 2, 3, 4] };
const called = (id: number, name = "look", args = "{}") => JSON.stringify({ t: "call", id, name, args });
const NOISE = { kind: "failed", reason: "the script's process said what no script can say, and was ended" };

/** A run whose process says what the test makes it say. */
function forged(answer: InnerCalls["call"] = async () => ({ kind: "ended", ok: true, text: "seen" })) {
  const sent: string[] = [];
  const asked: string[] = [];
  const said = Promise.withResolvers<{ out(text: string): void; end(noise: string): void }>();
  let endings = 0;
  const { clock, advance } = withAdvance();
  const end = runScript({
    start,
    calls: {
      names: ["look", "hidden"],
      startedAt: new Date(0),
      call: (name, args) => {
        asked.push(`${name} ${args}`);
        return answer(name, args);
      },
    },
    callId: "call_1",
    timeoutMs: 1000,
    signal: new AbortController().signal,
    clock,
    startProcess: async ({ onOutput, onEnd }) => {
      said.resolve({ out: onOutput, end: onEnd });
      return { write: (line) => void sent.push(line), end: () => void endings++ };
    },
  });
  return { end, sent, asked, advance, process: said.promise, endings: () => endings };
}

function withAdvance() {
  const clock = manualClock();
  return { clock, advance: (ms: number) => clock.advance(ms) };
}

describe("what the process of a script says is not trusted (SC1)", () => {
  test.each([
    ["no JSON", "hello"],
    ["no frame", "[1]"],
    ["an unknown frame", '{"t":"read","path":"/etc/passwd"}'],
    ["a call without a name", '{"t":"call","id":0,"args":"{}"}'],
    ["a call whose arguments are no text", '{"t":"call","id":0,"name":"look","args":{}}'],
    ["a call with a number that is not the next", called(7)],
    ["a call that was made already", `${called(0)}\n${called(0)}`],
    ["a line without an end", "x".repeat(1024 * 1024 + 1)],
  ])("%s ends it", async (_, line) => {
    const run = forged();
    const process = await run.process;
    process.out(line.length > 1000 ? line : `${line}\n`);
    expect(await run.end).toMatchObject(NOISE);
    expect(run.endings()).toBeGreaterThan(0);
  });

  test("a name that is not the script's is refused without asking", async () => {
    const run = forged();
    const process = await run.process;
    process.out(`${called(0, "hidden")}\n${called(1)}\n{"t":"done","text":"1"}\n`);
    expect(await run.end).toMatchObject({ kind: "done" });
    expect(run.asked).toEqual(["look {}"]);
    expect(JSON.parse(run.sent[1]!)).toEqual({ id: 0, ok: false, text: "there is no tool named hidden here" });
  });

  test("what it says after its end is not listened to", async () => {
    const run = forged();
    const process = await run.process;
    process.out(`{"t":"done","text":"first"}\n{"t":"done","text":"second"}\n${called(0)}\n`);
    expect(await run.end).toEqual({ kind: "done", printed: "", value: "first" });
    expect(run.asked).toEqual([]);
  });

  test("lines may come in pieces", async () => {
    const run = forged();
    const process = await run.process;
    for (const char of '{"t":"print","text":"a"}\n{"t":"done","text":"b"}\n') process.out(char);
    expect(await run.end).toEqual({ kind: "done", printed: "a", value: "b" });
  });
});

test("a process that dies, or does not start, is a failed script with its last words", async () => {
  const run = forged();
  (await run.process).end("out of everything");
  expect(await run.end).toMatchObject({ kind: "failed", reason: "the script's process ended: out of everything" });
});

test("a call that waits for a person ends the process and the run (SC3)", async () => {
  const run = forged(async () => ({ kind: "waits" }));
  (await run.process).out(`${called(0)}\n`);
  expect(await run.end).toEqual({ kind: "waits" });
  expect(run.endings()).toBeGreaterThan(0);
});

test("the time of a script ends it; what it returned before counts, though calls it left still ran", async () => {
  const hanging = () => new Promise<never>(() => {});
  const late = forged(hanging);
  (await late.process).out(`{"t":"print","text":"begun"}\n${called(0)}\n`);
  await late.advance(1000);
  expect(await late.end).toMatchObject({
    kind: "failed",
    printed: "begun",
    reason: expect.stringContaining("after 1 s"),
  });
  const left = forged(hanging);
  (await left.process).out(`${called(0)}\n{"t":"done","text":"gone"}\n`);
  await left.advance(1000);
  expect(await left.end).toMatchObject({ kind: "done", value: expect.stringMatching(/^gone\n\[Calls/) });
});

test("calls beyond the 500 of a script are refused, and a script that goes on calling is ended", async () => {
  const run = forged();
  const process = await run.process;
  process.out(Array.from({ length: 600 }, (_, id) => `${called(id)}\n`).join(""));
  await expect.poll(() => run.sent.length).toBe(601);
  expect(run.asked).toHaveLength(500);
  process.out(Array.from({ length: 1500 }, (_, id) => `${called(600 + id)}\n`).join(""));
  expect(await run.end).toMatchObject({ kind: "failed", reason: expect.stringContaining("went on calling") });
});
