import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/manual-clock.ts";
import type { ModelEvent, ModelMessage, ModelRequest, ModelToolCall } from "../model-port.ts";
import { TITLE_INSTRUCTIONS, titleRequest } from "../title-request.ts";
import { readScript } from "./script.ts";
import { scripted } from "./scripted.ts";

function user(text: string): ModelMessage {
  return { role: "user", content: [{ kind: "text", text }] };
}

async function ask(messages: readonly ModelMessage[], system?: string): Promise<ModelEvent[]> {
  const request: ModelRequest = {
    model: "demo",
    messages,
    tools: [],
    settings: {},
    ...(system === undefined ? {} : { system }),
  };
  const events: ModelEvent[] = [];
  for await (const event of scripted().stream(request, { signal: new AbortController().signal })) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.kind === "text" ? event.text : "")).join("");
}

function callsOf(events: readonly ModelEvent[]): ModelToolCall[] {
  return events.flatMap((event) => (event.kind === "tool-call" ? [event.call] : []));
}

/** The messages a turn continues with after these calls returned these texts. */
function results(calls: readonly ModelToolCall[], ...texts: readonly string[]): ModelMessage[] {
  const came = calls.map(
    (call, at): ModelMessage => ({ role: "tool", callId: call.id, name: call.name, text: texts[at] ?? "" }),
  );
  return [{ role: "assistant", text: "", toolCalls: calls }, ...came];
}

describe("the scripted model (R10)", () => {
  it("introduces itself as no language model, and echoes", async () => {
    const events = await ask([user("Hello there")]);
    expect(textOf(events)).toBe("This is the scripted model, not a language model. You said: Hello there");
    expect(events.length).toBeGreaterThan(5);
    expect(events.at(-1)).toEqual({ kind: "finish", reason: "stop" });
    expect(textOf(await ask([]))).toContain("not a language model");
  });

  it("calls the calculator, then answers with what it returned", async () => {
    const start = [user('/call calculator {"expression":"6*7"}')];
    const first = await ask(start);
    expect(callsOf(first)).toEqual([{ id: "call_1_0", name: "calculator", args: '{"expression":"6*7"}' }]);
    expect(first.at(-1)).toEqual({ kind: "finish", reason: "tool-calls" });
    const second = await ask([...start, ...results(callsOf(first), "42")]);
    expect(textOf(second)).toBe("calculator returned: 42");
    expect(second.at(-1)).toEqual({ kind: "finish", reason: "stop" });
  });

  it("makes several calls at once, with arguments over several lines, or without any, valid or not", async () => {
    const events = await ask([user('/call one {\n  "x": 1\n}\n/call two\n/call three {broken')]);
    const calls = callsOf(events);
    expect(calls.map(({ name, args }) => [name, args])).toEqual([
      ["one", '{\n  "x": 1\n}'],
      ["two", "{}"],
      ["three", "{broken"],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    expect(textOf(await ask([user("/call one\n/call two"), ...results(calls, "1", "2")]))).toBe(
      "one returned: 1\ntwo returned: 2\nthree returned: ",
    );
  });

  it("continues with the next step after `/then`, derived from the conversation alone", async () => {
    const script = user("First\n/call one {}\n/then\n/think hm\n/call two {}\n/then\n/say All\ndone.");
    const first = await ask([script]);
    expect(textOf(first)).toBe("First");
    const second = await ask([script, ...results(callsOf(first), "1")]);
    expect(second[0]).toEqual({ kind: "reasoning", text: "hm" });
    const third = await ask([script, ...results(callsOf(first), "1"), ...results(callsOf(second), "2")]);
    expect(textOf(third)).toBe("All\ndone.");
    expect(callsOf(third)).toEqual([]);
  });

  it("listens to the last user message only", async () => {
    expect(textOf(await ask([user("/call one {}"), { role: "assistant", text: "ok" }, user("and now?")]))).toContain(
      "and now?",
    );
  });

  it("streams text by the word, or a number of pieces", async () => {
    const texts = (await ask([user("/say one two  three")])).filter((event) => event.kind === "text");
    expect(texts.map((event) => event.text)).toEqual(["one ", "two  ", "three"]);
    const counted = (await ask([user("/stream 3")])).filter((event) => event.kind === "text");
    expect(counted.map((event) => event.text)).toEqual(["w0 ", "w1 ", "w2 "]);
  });

  it("yields to the event loop now and then, however long its answer", async () => {
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const events = await ask([user("/stream 5000")]);
    clearImmediate(next);
    expect(events.filter((event) => event.kind === "text")).toHaveLength(5_000);
    expect(turns).toBeGreaterThan(10);
  });

  it("runs the commands at the start of a long text; text far behind them is no command", async () => {
    const far = `${"-".repeat(200 * 1024)}\n/say no`;
    expect(textOf(await ask([user(`/say yes\n${far}`)]))).toBe(`yes\n${far}`);
    const events = await ask([user(far)]);
    expect(textOf(events)).toBe(`This is the scripted model, not a language model. You said: ${far}`);
    expect(events.length).toBeLessThan(1_000);
  });

  it("waits by its clock, and an abort ends the wait", async () => {
    const clock = manualClock();
    const request: ModelRequest = { model: "demo", messages: [user("/wait 5000\n/say done")], tools: [], settings: {} };
    const abort = new AbortController();
    const waiting = scripted({ clock }).stream(request, { signal: abort.signal })[Symbol.asyncIterator]().next();
    await clock.untilPending();
    await clock.advance(5_000);
    expect(await waiting).toEqual({ done: false, value: { kind: "text", text: "done" } });

    const again = scripted({ clock }).stream(request, { signal: abort.signal })[Symbol.asyncIterator]().next();
    await clock.untilPending();
    abort.abort("stop");
    await expect(again).rejects.toBe("stop");
    expect(clock.pending()).toBe(0);
  });

  it.each([
    [429, "rate_limited"],
    [500, "upstream"],
    [401, "unauthorized"],
    [404, "unknown_model"],
    [413, "context_overflow"],
    [400, "bad_request"],
  ])("fails with %i as a provider would: %s", async (status, code) => {
    await expect(ask([user(`/fail ${status}`)])).rejects.toMatchObject({ name: "ModelError", status, code });
  });

  it("leaves alone what only looks like a command", async () => {
    expect(readScript("see /call one {}\n/calls\n/sayer\n//say x")).toBeUndefined();
    expect(textOf(await ask([user("/unknown thing")]))).toContain("You said: /unknown thing");
  });

  it("names a conversation by its first words, without running its commands", async () => {
    const title = async (asked: string) =>
      textOf(await ask([user(titleRequest({ asked, answered: "x" }))], TITLE_INSTRUCTIONS));
    expect(await title("where do I drink good tea in Kyoto?")).toBe("Where do I drink good tea");
    expect(await title('/call calculator {"expression":"6*7"}\n/then\n/say Done.')).toBe("Calculator Done");
    expect(await title("/wait 600000")).toBe("600000");
    expect(await title("  ")).toBe("Conversation");
  });

  it("reports the same usage for the same request", async () => {
    const usage = (await ask([user("/say 12345678")], "1234")).find((event) => event.kind === "usage");
    expect(usage).toEqual({ kind: "usage", usage: { input: 5, output: 2, cacheRead: 0, cacheWrite: 0 } });
  });

  it("answers any text with one finish, and the same text the same way", async () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("/call", "/say", "/then", "/think", "\n", "one", "{}", "/stream 2"),
    );
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" ").replaceAll(" \n ", "\n"));
    await fc.assert(
      fc.asyncProperty(text, async (script) => {
        const events = await ask([user(script)]);
        expect(events.filter((event) => event.kind === "finish")).toEqual([events.at(-1)]);
        expect(await ask([user(script)])).toEqual(events);
      }),
    );
  });
});
