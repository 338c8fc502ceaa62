import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import type { ModelMessage } from "../model/index.ts";
import { messageChars } from "./message-size.ts";
import { type Fit, fitMessages, newFit, type PruneLimits } from "./prune.ts";
import { LEAST_MIN_CHARS, shortenResult } from "./shorten-result.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ kind: "text", text }] });

function round(id: string, results: readonly string[]): ModelMessage[] {
  const toolCalls = results.map((_, i) => ({ id: `${id}.${i}`, name: "read", args: "{}" }));
  return [
    { role: "assistant", text: "", toolCalls },
    ...results.map((text, i): ModelMessage => ({ role: "tool", callId: `${id}.${i}`, name: "read", text })),
  ];
}

function limits(settings: Partial<PruneLimits["settings"]> = {}, windowTokens = 10_000): PruneLimits {
  return {
    settings: { enabled: true, atFraction: 0.6, keepMessages: 4, minChars: 4_000, ...settings },
    windowTokens,
    besideChars: 0,
  };
}

function fitted(messages: readonly ModelMessage[], by: PruneLimits, fit: Fit = newFit()) {
  const given = [...messages];
  const pruned = fitMessages(fit, given, by, 0);
  expect(given).toEqual(messages);
  return { shown: pruned.messages, pruned, fit };
}

const textOf = (message: ModelMessage | undefined): string => (message?.role === "tool" ? message.text : "");

describe("pruning (B56 `pruning`)", () => {
  const long = `begin${"x".repeat(9_990)}final`;
  const messages = [user("go"), ...[1, 2, 3].flatMap((i) => round(`${i}`, [long])), user("and?")];

  it("replaces older results by head, omission marker and tail once the window's share is reached", () => {
    const { shown, pruned } = fitted(messages, limits());
    expect(textOf(shown[2])).toBe(
      `${long.slice(0, 1_000)}\n[… 8500 of 10000 characters of this older result are left out to save room …]\n${long.slice(-500)}`,
    );
    expect(pruned.results).toBe(1);
    expect(shown.slice(3)).toEqual(messages.slice(3));
  });

  it("leaves everything alone below the share, when off, and results that are small", () => {
    expect(fitted(messages, limits({ atFraction: 1 })).shown).toEqual(messages);
    expect(fitted(messages, limits({ enabled: false })).shown).toEqual(messages);
    expect(fitted(messages, limits({ minChars: 10_001 })).shown).toEqual(messages);
  });

  it("counts what is sent beside the messages", () => {
    const few = messages.slice(0, 6);
    expect(fitted(few, limits({ keepMessages: 1 })).pruned.results).toBe(0);
    expect(fitted(few, { ...limits({ keepMessages: 1 }), besideChars: 5_000 }).pruned.results).toBe(1);
  });

  it("never shortens a result no call has read, however many came at once", () => {
    const many = [
      user("go"),
      ...round(
        "1",
        Array.from({ length: 30 }, () => long),
      ),
    ];
    expect(fitted(many, limits({ keepMessages: 1 })).shown).toEqual(many);
    const later = fitted([...many, ...round("2", ["small"])], limits({ keepMessages: 1 }));
    expect(later.pruned.results).toBe(30);
  });

  it("goes in steps: beyond the threshold it waits until a tenth of it has gathered", () => {
    const by = limits({ keepMessages: 1 }, 1_000);
    const fit = newFit();
    let shown: ModelMessage[] = [user("x".repeat(4_000))];
    const steps: number[] = [];
    for (let i = 0; i < 12; i++) {
      shown.push(...round(`${i}`, ["y".repeat(4_000)]));
      const now = fitMessages(fit, shown, by, 0);
      shown = now.messages;
      steps.push(now.results);
    }
    expect(steps.reduce((sum, results) => sum + results, 0)).toBe(11);
    const few = limits({ keepMessages: 1, minChars: 500 }, 10_000);
    let small: ModelMessage[] = [user("x".repeat(24_000))];
    const at = newFit();
    const when: number[] = [];
    for (let i = 0; i < 30; i++) {
      small.push(...round(`${i}`, ["y".repeat(700)]));
      const now = fitMessages(at, small, few, 0);
      small = now.messages;
      if (now.results > 0) when.push(i);
    }
    expect(when.length).toBeGreaterThan(1);
    expect(when.length).toBeLessThan(8);
  });
});

const message = fc.oneof(
  fc.string({ maxLength: 300 }).map((text) => [user(text)]),
  fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 3_000 }).map((n) => "z".repeat(n)),
      fc.string({ minLength: 500, maxLength: 900, unit: codePoint }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
);
const history = fc
  .array(message, { maxLength: 25 })
  .map((items) =>
    items.flatMap((item, i) =>
      typeof item[0] === "string" ? round(`${i}`, item as string[]) : (item as ModelMessage[]),
    ),
  );
const anyLimits = fc.record({
  settings: fc.record({
    enabled: fc.constant(true),
    atFraction: fc.double({ min: 0.05, max: 1, noNaN: true }),
    keepMessages: fc.integer({ min: 1, max: 10 }),
    minChars: fc.integer({ min: LEAST_MIN_CHARS, max: 1_500 }),
  }),
  windowTokens: fc.integer({ min: 100, max: 4_000 }),
  besideChars: fc.integer({ min: 0, max: 500 }),
});

describe("for any conversation and any settings", () => {
  it("calls and results stay where they are, the newest untouched, and the size is what was counted (PN1, PN2, PN4)", () => {
    fc.assert(
      fc.property(history, anyLimits, (messages, by) => {
        const { shown, fit } = fitted(messages, by);
        const newest = messages.length - by.settings.keepMessages;
        shown.forEach((now, i) => {
          const was = messages[i]!;
          if (i >= newest || was.role !== "tool") expect(now).toBe(was);
          else expect([textOf(was), shortenResult(textOf(was), by.settings.minChars)]).toContain(textOf(now));
        });
        expect(fit.chars).toBe(shown.reduce((sum, each) => sum + messageChars(each), 0));
      }),
    );
  });

  it("the same is shown whether measured call by call or at once, and twice is once (PN3)", () => {
    fc.assert(
      fc.property(history, anyLimits, fc.array(fc.nat(40), { maxLength: 6 }), (messages, by, cuts) => {
        const whole = fitted(messages, by);
        const fit = newFit();
        let shown: ModelMessage[] = [];
        for (const cut of [...cuts.sort((a, b) => a - b), messages.length]) {
          shown.push(...messages.slice(shown.length, Math.max(shown.length, cut)));
          shown = fitMessages(fit, shown, by, 0).messages;
        }
        expect(shown).toEqual(whole.shown);
        const again = fitMessages(fit, shown, by, 0);
        expect(again).toEqual({ messages: shown, results: 0, chars: 0 });
        expect(again.messages).toBe(shown);
      }),
    );
  });

  it("beyond the threshold at most one step's worth waits to be shortened", () => {
    fc.assert(
      fc.property(history, anyLimits, (messages, by) => {
        const { fit } = fitted(messages, by);
        const threshold = by.windowTokens * 4 * by.settings.atFraction;
        if (fit.chars + by.besideChars >= threshold) expect(fit.gathered).toBeLessThan(threshold * 0.1);
      }),
    );
  });

  it("a shortened result is never shortened again, and no character is cut in two (PN4)", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 400, maxLength: 4_000, unit: codePoint }),
        fc.integer({ min: LEAST_MIN_CHARS, max: 3_000 }),
        (text, minChars) => {
          const once = shortenResult(text.toWellFormed(), minChars);
          if (text.length >= minChars) expect(once.length).toBeLessThan(minChars);
          expect(shortenResult(once, minChars)).toBe(once);
          expect(once.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
