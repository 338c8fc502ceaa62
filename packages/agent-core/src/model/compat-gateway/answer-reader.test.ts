import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkEvent, dataEvent, endEvents } from "../../testing/gateway-replies.ts";
import { ModelError } from "../model-error.ts";
import type { ModelEvent } from "../model-port.ts";
import { type AnswerBounds, AnswerReader } from "./answer-reader.ts";

const origin = { name: "gateway", secrets: ["sk-secret-key"] };

/** Reads an answer given in these pieces; the error it ended with comes last. */
function read(pieces: readonly (string | Uint8Array)[], bounds?: Partial<AnswerBounds>): (ModelEvent | ModelError)[] {
  const events: (ModelEvent | ModelError)[] = [];
  const reader = new AnswerReader({
    emit: (event) => events.push(event),
    origin,
    ...(bounds === undefined ? {} : { bounds }),
  });
  try {
    for (const piece of pieces) reader.push(Buffer.from(piece as string));
    reader.end();
  } catch (error) {
    events.push(error as ModelError);
  }
  return events;
}

/** Neighbouring texts joined: where one ends is the only thing cuts may change. */
function joined(events: readonly (ModelEvent | ModelError)[]): unknown[] {
  const out: unknown[] = [];
  let last: { kind: string; text: string } | undefined;
  for (const event of events) {
    if (event instanceof ModelError) {
      out.push({ code: event.code, message: event.message });
    } else if (event.kind === "text" || event.kind === "reasoning") {
      if (last?.kind === event.kind) last.text += event.text;
      else {
        last = { kind: event.kind, text: event.text };
        out.push(last);
      }
      continue;
    } else if (event.kind === "tool-call" && /^call_[0-9a-f-]{36}$/.test(event.call.id)) {
      out.push({ kind: "tool-call", call: { ...event.call, id: "made up" } });
    } else out.push(event);
    last = undefined;
  }
  return out;
}

const END = endEvents("stop");
const USAGE = { kind: "usage", usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 } };
const STOP = { kind: "finish", reason: "stop" };

function toolDelta(...calls: readonly object[]): string {
  return chunkEvent({ tool_calls: calls });
}

function callsIn(pieces: readonly string[]): unknown[] {
  return joined(read(pieces)).filter((event) => (event as { kind?: string }).kind === "tool-call");
}

describe("the text of an answer", () => {
  it("makes one event of the deltas of one socket chunk", () => {
    const deltas = chunkEvent({ content: "Hel" }) + chunkEvent({ content: "lo" });
    expect(read([deltas, chunkEvent({ content: "!" }), END])).toEqual([
      { kind: "text", text: "Hello" },
      { kind: "text", text: "!" },
      USAGE,
      STOP,
    ]);
  });

  it("keeps reasoning apart, from either field and from a leading think block, whatever tags are cut", () => {
    const pieces = ["<th", "ink>\nhm", " </thin", "k>\n\nYes, <think> is a tag."];
    const stream = [
      chunkEvent({ reasoning_content: "a" }),
      chunkEvent({ reasoning: "b" }),
      ...pieces.map((content) => chunkEvent({ content })),
      END,
    ];
    expect(joined(read(stream))).toEqual([
      { kind: "reasoning", text: "ab\nhm " },
      { kind: "text", text: "Yes, <think> is a tag." },
      USAGE,
      STOP,
    ]);
  });

  it("takes reasoning once when a gateway sends it under both names", () => {
    const events = joined(read([chunkEvent({ reasoning_content: "a", reasoning: "a" }), END]));
    expect(events[0]).toEqual({ kind: "reasoning", text: "a" });
  });

  it("loses no text that only looks like the beginning of a think block", () => {
    expect(joined(read([chunkEvent({ content: " <thi" }), END]))[0]).toEqual({ kind: "text", text: " <thi" });
    expect(joined(read([chunkEvent({ content: "<think>endless</th" }), END]))[0]).toEqual({
      kind: "reasoning",
      text: "endless</th",
    });
  });

  it("reads content given as parts, and a refusal as text", () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "No" },
    ];
    const events = joined(read([chunkEvent({ content: parts }), chunkEvent({ refusal: ", sorry" }), END]));
    expect(events.slice(0, 2)).toEqual([
      { kind: "reasoning", text: "hm" },
      { kind: "text", text: "No, sorry" },
    ]);
  });
});

describe("tool calls", () => {
  it("puts parallel calls together from pieces by their index", () => {
    const pieces = [
      toolDelta({ index: 0, id: "a", function: { name: "one", arguments: "" } }),
      toolDelta({ index: 1, id: "b", function: { name: "two", arguments: '{"y"' } }),
      toolDelta({ index: 0, function: { arguments: '{"x":' } }, { index: 1, function: { arguments: ":2}" } }),
      toolDelta({ index: 0, function: { arguments: "1}" } }),
      endEvents("tool_calls"),
    ];
    expect(joined(read(pieces))).toEqual([
      { kind: "tool-call", call: { id: "a", name: "one", args: '{"x":1}' } },
      { kind: "tool-call", call: { id: "b", name: "two", args: '{"y":2}' } },
      USAGE,
      { kind: "finish", reason: "tool-calls" },
    ]);
  });

  it.each([
    [
      "repeats id and name with every piece",
      [
        { index: 0, id: "a", function: { name: "one", arguments: "{}" } },
        { index: 0, id: "a", function: { name: "one", arguments: " " } },
      ],
      [{ id: "a", name: "one", args: "{} " }],
    ],
    [
      "gives parallel calls the same index but ids of their own",
      [
        { index: 0, id: "a", function: { name: "one", arguments: "{}" } },
        { index: 0, id: "b", function: { name: "one", arguments: '{"x":1}' } },
      ],
      [
        { id: "a", name: "one", args: "{}" },
        { id: "b", name: "one", args: '{"x":1}' },
      ],
    ],
    [
      "invents an id for every piece",
      [
        { index: 0, id: "a", function: { name: "one", arguments: '{"x"' } },
        { index: 0, id: "b", function: { arguments: ":" } },
        { index: 0, id: "c", function: { name: "one", arguments: "1}" } },
      ],
      [{ id: "a", name: "one", args: '{"x":1}' }],
    ],
    [
      "leaves out index and id",
      [
        { function: { name: "one", arguments: '{"x":' } },
        { function: { arguments: "1}" } },
        { function: { name: "two", arguments: "{}" } },
      ],
      [
        { id: "made up", name: "one", args: '{"x":1}' },
        { id: "made up", name: "two", args: "{}" },
      ],
    ],
    [
      "sends arguments as an object, and the same id twice",
      [
        { index: 0, id: "a", function: { name: "one", arguments: { x: 1 } } },
        { index: 1, id: "a", function: { name: "two", arguments: {} } },
      ],
      [
        { id: "a", name: "one", args: '{"x":1}' },
        { id: "made up", name: "two", args: "{}" },
      ],
    ],
    [
      "sends the name in pieces",
      [
        { index: 0, id: "a", function: { name: "calc" } },
        { index: 0, function: { name: "ulator", arguments: "{}" } },
      ],
      [{ id: "a", name: "calculator", args: "{}" }],
    ],
  ])("copes with a provider that %s", (_, pieces, calls) => {
    const stream = [...pieces.map((piece) => toolDelta(piece)), endEvents("tool_calls")];
    expect(callsIn(stream)).toEqual(calls.map((call) => ({ kind: "tool-call", call })));
  });

  it("finishes with tool-calls when there were calls, whatever reason was given, but keeps a cut-off answer's length", () => {
    const call = toolDelta({ index: 0, id: "a", function: { name: "one", arguments: "{}" } });
    expect(read([call, endEvents("stop")]).at(-1)).toEqual({ kind: "finish", reason: "tool-calls" });
    expect(read([call, endEvents("length")]).at(-1)).toEqual({ kind: "finish", reason: "length" });
    expect(read([chunkEvent({ content: "x" }), endEvents("tool_calls")]).at(-1)).toEqual({
      kind: "finish",
      reason: "other",
    });
  });

  it("refuses arguments and calls beyond the bounds", () => {
    const big = toolDelta({ index: 0, id: "a", function: { name: "one", arguments: "x".repeat(40) } });
    expect(read([big, big, END], { maxArgumentChars: 60 }).at(-1)).toMatchObject({ code: "bad_response" });
    const many = [0, 1, 2].map((index) =>
      toolDelta({ index, id: `${index}`, function: { name: "n", arguments: "{}" } }),
    );
    expect(read(many, { maxToolCalls: 2 }).at(-1)).toMatchObject({ code: "bad_response" });
  });
});

describe("usage", () => {
  it.each([
    [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } }, [10, 2, 4, 0]],
    [
      { prompt_tokens: 10, completion_tokens: 2, cache_read_input_tokens: 4, cache_creation_input_tokens: 3 },
      [10, 2, 4, 3],
    ],
    [{ prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 6 }, [10, 2, 6, 0]],
    [{ input_tokens: 3, output_tokens: 2, cache_read_input_tokens: 4, cache_creation_input_tokens: 3 }, [10, 2, 4, 3]],
    [{ input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } }, [10, 2, 4, 0]],
  ])("reads %j", (usage, [input, output, cacheRead, cacheWrite]) => {
    const events = read([chunkEvent({ content: "x" }), endEvents("stop", usage)]);
    expect(events[1]).toEqual({ kind: "usage", usage: { input, output, cacheRead, cacheWrite, cacheCounted: true } });
  });

  it.each([
    [{ prompt_tokens: "10", completion_tokens: 2.7, prompt_tokens_details: null }, undefined],
    [{ prompt_tokens: 10, completion_tokens: 2 }, undefined],
    [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 0 } }, true],
    [{ prompt_tokens: 10, completion_tokens: 2, cache_read_input_tokens: 0 }, true],
  ])("distinguishes zero cached tokens from an absent count: %j", (usage, counted) => {
    const [, event] = read([chunkEvent({ content: "x" }), endEvents("stop", usage)]);
    expect(event).toMatchObject({ usage: { output: 2, cacheRead: 0 } });
    expect((event as { usage: { cacheCounted?: true } }).usage.cacheCounted).toBe(counted);
  });

  it("comes once, the last, when every chunk carries one, and not at all when none does", () => {
    const running = [1, 2, 3].map((n) =>
      chunkEvent({ content: "x" }, null, { usage: { prompt_tokens: 5, completion_tokens: n } }),
    );
    const done = [chunkEvent({}, "stop"), dataEvent("[DONE]")];
    const usages = read([...running, ...done]).filter((event) => !(event instanceof Error) && event.kind === "usage");
    expect(usages).toEqual([{ kind: "usage", usage: { input: 5, output: 3, cacheRead: 0, cacheWrite: 0 } }]);
    expect(read([chunkEvent({ content: "x" }), ...done]).map((event) => (event as ModelEvent).kind)).toEqual([
      "text",
      "finish",
    ]);
  });
});

describe("a body that is not what was asked for", () => {
  it("is read as one answer when the provider ignored `stream`", () => {
    const message = {
      content: "<think>hm</think>Hi",
      tool_calls: [
        { id: "a", type: "function", function: { name: "one", arguments: "{" } },
        { type: "function", function: { name: "one", arguments: "{}" } },
      ],
    };
    const body = JSON.stringify({
      choices: [{ index: 0, message, finish_reason: "tool_calls" }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    });
    expect(joined(read([`\n${body.slice(0, 20)}`, body.slice(20)]))).toEqual([
      { kind: "reasoning", text: "hm" },
      { kind: "text", text: "Hi" },
      { kind: "tool-call", call: { id: "a", name: "one", args: "{" } },
      { kind: "tool-call", call: { id: "made up", name: "one", args: "{}" } },
      USAGE,
      { kind: "finish", reason: "tool-calls" },
    ]);
  });

  it.each([
    ["a page of HTML", "<html><body>Welcome</body></html>"],
    ["half a JSON object", '{"choices":[{"mess'],
    ["JSON of another kind", '{"status":"ok"}'],
    ["data that is not JSON", "data: hello\n\n"],
    ["data that is not an object", "data: 42\n\n"],
    ["an end without an answer", "data: [DONE]\n\n"],
    ["bytes", Buffer.from([0xff, 0x00, 0x80, 0x0a, 0xfe])],
  ])("is refused: %s", (_, body) => {
    expect(read([body])).toMatchObject([{ code: "bad_response", retryable: false }]);
  });

  it("is a broken connection when it ends before the answer is whole", () => {
    expect(read([])).toMatchObject([{ code: "network" }]);
    expect(read([chunkEvent({ content: "Hel" })])).toMatchObject([
      { kind: "text" },
      { code: "network", retryable: true },
    ]);
  });

  it("needs no [DONE] after a finish reason, and no finish reason before [DONE]", () => {
    expect(read([chunkEvent({ content: "x" }), chunkEvent({}, "stop")]).at(-1)).toEqual(STOP);
    expect(read([chunkEvent({ content: "x" }), dataEvent("[DONE]")]).at(-1)).toEqual({
      kind: "finish",
      reason: "other",
    });
  });

  it.each([
    [{ message: "Rate limit reached", type: "rate_limit_error" }, "rate_limited"],
    [{ message: "Overloaded", type: "overloaded_error" }, "upstream"],
    [{ message: "Provider returned error", code: 502 }, "upstream"],
    [{ message: "too long", code: "context_length_exceeded" }, "context_overflow"],
    [{ message: "bad tool", type: "invalid_request_error" }, "bad_request"],
    ["something broke", "upstream"],
  ])("reports an error sent inside the stream: %j", (error, code) => {
    const events = read([chunkEvent({ content: "Hel" }), dataEvent({ error })]);
    expect(events).toMatchObject([{ kind: "text", text: "Hel" }, { code }]);
  });

  it("never shows the key, however it is echoed", () => {
    const error = { message: "no such key: Bearer sk-secret-key, sk-other-12345" };
    const { message } = read([dataEvent({ error })])[0] as ModelError;
    expect(message).toContain("no such key");
    expect(message).not.toMatch(/secret|12345/);
  });

  it("stops at the bounds instead of filling the memory", () => {
    const line = `data: ${"x".repeat(100)}`;
    expect(read([line, line], { maxLineBytes: 150 }).at(-1)).toMatchObject({ code: "bad_response" });
    expect(read([`${line}\n`, `${line}\n`], { maxLineBytes: 150 }).at(-1)).toMatchObject({ code: "bad_response" });
    expect(read([`: ${"c".repeat(100)}\n`, `: ${"c".repeat(100)}\n`], { maxBytes: 150 }).at(-1)).toMatchObject({
      code: "bad_response",
    });
    const text = chunkEvent({ content: "x".repeat(100) });
    expect(read([text, text], { maxContentChars: 150 }).at(-1)).toMatchObject({ code: "bad_response" });
  });
});

describe("however the bytes are cut", () => {
  const delta = fc.oneof(
    fc.record({
      content: fc.oneof(
        fc.string({ unit: "grapheme", maxLength: 12 }),
        fc.constantFrom("<think>", "</think>", "<", "\n"),
      ),
    }),
    fc.record({ reasoning_content: fc.string({ unit: "grapheme", maxLength: 8 }) }),
    fc.record({
      tool_calls: fc.array(
        fc.record(
          {
            index: fc.nat(2),
            id: fc.constantFrom("a", "b"),
            function: fc.record({ name: fc.constantFrom("one", "two"), arguments: fc.string({ maxLength: 6 }) }),
          },
          { requiredKeys: ["function"] },
        ),
        { maxLength: 3 },
      ),
    }),
  );
  const line = fc.oneof(
    { weight: 8, arbitrary: delta.map((value) => JSON.stringify({ choices: [{ index: 0, delta: value }] })) },
    {
      weight: 1,
      arbitrary: fc.constant(JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } })),
    },
    { weight: 1, arbitrary: fc.constant(JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] }, null, 1)) },
    { weight: 1, arbitrary: fc.constantFrom("[DONE]", "garbage {", JSON.stringify({ error: { message: "no" } })) },
  );
  const event = fc
    .record({ data: line, crlf: fc.boolean(), space: fc.boolean(), comment: fc.boolean(), blank: fc.boolean() })
    .map(({ data, crlf, space, comment, blank }) => {
      const end = crlf ? "\r\n" : "\n";
      const lines = data.split("\n").map((part) => `data:${space ? " " : ""}${part}${end}`);
      const needsBlank = blank || lines.length > 1 || data.startsWith("garbage");
      return `${comment ? `: ping${end}` : ""}${lines.join("")}${needsBlank ? end : ""}`;
    });

  it("the events are the same", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 20 }), (events, cuts) => {
        const bytes = Buffer.from(events.join(""), "utf8");
        const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
        const pieces = [...at, bytes.length].map((end, index) => bytes.subarray(at[index - 1] ?? 0, end));
        expect(joined(read(pieces))).toEqual(joined(read([bytes])));
      }),
      { numRuns: 400 },
    );
  });

  it("also byte by byte", () => {
    const text = `${chunkEvent({ content: "Größe: 😀 <think>" })}${END}`.replaceAll("\n", "\r\n");
    const bytes = Buffer.from(text, "utf8");
    expect(joined(read([...bytes].map((byte) => Uint8Array.of(byte))))).toEqual(joined(read([bytes])));
  });

  it("no body makes it throw anything but a ModelError", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.uint8Array(),
            fc.string(),
            fc.json().map((json) => `data: ${json}\n\n`),
          ),
        ),
        (pieces) => {
          const last = read(pieces).at(-1);
          expect(last instanceof ModelError || last?.kind === "finish").toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });
});
