import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTrigger } from "./compaction-section.ts";
import type { CompactionSettings } from "./context-settings.ts";
import { showHistory } from "./history.ts";
import { messageChars } from "./message-size.ts";
import { isCompactionDue, planCompaction } from "./plan-compaction.ts";
import type { HistoryItem } from "./stored-message.ts";
import { readSummary, summaryRequest } from "./summary.ts";

type Message = HistoryItem["message"];
const user = (text: string): Message => ({ kind: "user", content: [{ kind: "text", text }] });

const anyMessage = fc.oneof(
  fc.string({ maxLength: 30 }).map(user),
  fc.string({ maxLength: 30 }).map((text): Message => ({ kind: "note", text })),
  fc.tuple(fc.string({ maxLength: 30 }), fc.nat(5)).map(([text, calls]): Message => {
    const toolCalls = Array.from({ length: calls }, (_, i) => ({ id: `${i}`, name: "read", args: "{}" }));
    return { kind: "assistant", text, ...(calls === 0 ? {} : { toolCalls }) };
  }),
);
const anyItems = fc.array(anyMessage, { maxLength: 60 }).map((messages) =>
  messages.map((message, id): HistoryItem => {
    if (message.kind !== "assistant") return { id, task: "t", message };
    const toolCalls = message.toolCalls?.map((call) => ({ ...call, id: `${id}.${call.id}` }));
    return { id, task: "t", message: { ...message, ...(toolCalls === undefined ? {} : { toolCalls }) } };
  }),
);

describe("what a compaction keeps, for any conversation", () => {
  it("divides it: order kept, the newest messages untouched, pairs whole, no more than needed", () => {
    fc.assert(
      fc.property(anyItems, fc.integer({ min: 1, max: 40 }), (items, keep) => {
        const { summarised, kept } = planCompaction(items, keep);
        expect([...summarised, ...kept].toSorted((a, b) => a.id - b.id)).toEqual(items);
        expect(kept).toEqual(kept.toSorted((a, b) => a.id - b.id));
        const whole = showHistory({ items, results: new Map() });
        const shown = showHistory({ items: kept, results: new Map() });
        const newest = Math.min(keep, whole.length);
        expect(shown.slice(-newest)).toEqual(whole.slice(whole.length - newest));
        // At most one step of five calls and the request more than asked for.
        expect(shown.length).toBeLessThanOrEqual(keep + 6);
        const called = new Set(
          shown.flatMap((m) => (m.role === "assistant" ? (m.toolCalls ?? []).map((c) => c.id) : [])),
        );
        for (const message of shown) if (message.role === "tool") expect(called.has(message.callId)).toBe(true);
        const request = items.findLast((item) => item.message.kind === "user");
        if (request !== undefined) expect(kept).toContain(request);
      }),
    );
  });

  it("what is due is not due again right after: at least a quarter or ten messages were replaced", () => {
    fc.assert(
      fc.property(
        anyItems,
        fc.integer({ min: 2, max: 20 }),
        fc.integer({ min: 100, max: 3_000 }),
        (items, keep, windowTokens) => {
          const settings: CompactionSettings = {
            enabled: true,
            trigger: { kind: "fraction", value: 0.5 },
            keepMessages: keep,
            model: "",
          };
          const size = (of: readonly HistoryItem[], summary?: string) => {
            const messages = showHistory({
              items: of,
              results: new Map(),
              ...(summary === undefined ? {} : { summary }),
            });
            const chars = messages.reduce((sum, message) => sum + messageChars(message), 0);
            return { messages, chars, besideChars: 0, windowTokens };
          };
          if (!isCompactionDue(settings, size(items))) return;
          const { kept, summarised } = planCompaction(items, keep);
          expect(summarised.length).toBeGreaterThan(0);
          const after = size(kept, "short");
          if (after.messages.length <= keep + 2) expect(isCompactionDue(settings, after)).toBe(false);
        },
      ),
    );
  });
});

describe("triggers (B57 `compaction.trigger`)", () => {
  it.each([
    ["fraction:0.8", { kind: "fraction", value: 0.8 }],
    [" tokens:60000 ", { kind: "tokens", value: 60_000 }],
    ["messages:200", { kind: "messages", value: 200 }],
    ["fraction:1.5", undefined],
    ["fraction:0", undefined],
    ["tokens:1.5", undefined],
    ["messages:3", undefined],
    ["sometimes", undefined],
  ])("%s", (text, expected) => {
    expect(readTrigger(text)).toEqual(expected);
  });

  it.each([
    [{ kind: "tokens", value: 1_000 }, 3_000, 40, false],
    [{ kind: "tokens", value: 1_000 }, 4_000, 40, true],
    [{ kind: "messages", value: 50 }, 1, 40, false],
    [{ kind: "messages", value: 40 }, 1, 40, true],
    [{ kind: "fraction", value: 0.5 }, 20_000, 40, true],
    // Nothing, or too little, would go.
    [{ kind: "fraction", value: 0.5 }, 20_000, 5, false],
  ] as const)("%j at %i characters in %i messages: %s", (trigger, chars, count, due) => {
    const messages = Array.from({ length: count }, () => ({ role: "assistant", text: "" }) as const);
    const settings = { enabled: true, trigger, keepMessages: 5, model: "" };
    const size = { messages, chars, besideChars: 0, windowTokens: 10_000 };
    expect(isCompactionDue(settings, size)).toBe(due);
    expect(isCompactionDue({ ...settings, enabled: false }, size)).toBe(false);
  });
});

describe("the summary", () => {
  it("is requested with everything that it replaces, the earlier summary first, within its bound", () => {
    const message: Message = {
      kind: "assistant",
      text: "I look.",
      toolCalls: [{ id: "a", name: "read", args: '{"n":1}' }],
    };
    const items: HistoryItem[] = [
      { id: 1, task: "t", message: user("find it") },
      { id: 2, task: "t", message },
    ];
    const history = { items, results: new Map([["a", "found 42"]]), summary: "before that" };
    const plan = { summarised: items, kept: [], material: items };
    const text = summaryRequest(plan, history, 10_000);
    expect(text).toMatch(
      /before that.*\[1\] User: find it.*\[2\] Agent: I look\..*calls read: {"n":1}.*Result of read: found 42/s,
    );
    expect(summaryRequest(plan, { ...history, summary: "x".repeat(9_000) }, 2_000).length).toBeLessThan(2_250);
  });

  it("is written of the messages in their order, with the request that stays where it stood", () => {
    const answer = (text: string): Message => ({ kind: "assistant", text });
    const messages = [user("first"), answer("one"), user("second"), answer("two"), answer("three")];
    const items = messages.map((message, id): HistoryItem => ({ id, task: "t", message }));
    const text = summaryRequest(planCompaction(items, 1), { items, results: new Map() }, 10_000);
    expect(text).toMatch(
      /\[1\] User: first\n\n\[2\] Agent: one\n\n\[3\] .*stays in sight.*User: second\n\n\[4\] Agent: two/,
    );
    expect(text).not.toContain("three");
  });

  it("is taken in any language and form, unless it is empty", () => {
    expect(readSummary(" ## Intent\nFind it.\n")).toBe("## Intent\nFind it.");
    expect(readSummary("Der Nutzer sucht 42; gefunden in a.txt.")).toBe("Der Nutzer sucht 42; gefunden in a.txt.");
    expect(readSummary("要約")).toBe("要約");
    expect(readSummary(" \n")).toBeUndefined();
  });
});
