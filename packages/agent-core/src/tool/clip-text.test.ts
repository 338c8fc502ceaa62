import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipText } from "./index.ts";

describe("clipText", () => {
  it("leaves a text within the bound alone", () => {
    expect(clipText("abc", 3)).toBe("abc");
  });

  it("keeps the head and the tail and names how much was cut", () => {
    const text = `${"a".repeat(500)}${"b".repeat(500)}THE END`;
    const clipped = clipText(text, 200);
    expect(clipped).toMatch(/^a{50,}\n\[… 807 of 1007 characters cut …\]\nb+THE END$/);
    expect(clipped.length).toBeLessThanOrEqual(200);
  });

  it("cuts no character in two and is well formed, within the bound, for every text and bound", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 20 }), fc.integer({ min: 0, max: 120 }), (text, max) => {
        const doubled = text + text + text;
        const clipped = clipText(doubled, max);
        expect(clipped.length).toBeLessThanOrEqual(max);
        expect(clipped.isWellFormed()).toBe(true);
        expect(clipped.includes("\uFFFD")).toBe(doubled.includes("\uFFFD"));
      }),
    );
  });

  it("replaces NULs, which a store would cut the text at", () => {
    expect(clipText("a\0b", 10)).toBe("a\ufffdb");
    expect(clipText("\0".repeat(1000), 100)).not.toContain("\0");
  });

  it("replaces lone surrogates, so that the text survives UTF-8", () => {
    expect(clipText("a\ud800b", 10)).toBe("a\uFFFDb");
  });

  it("shows no part of a secret, wherever the text is cut", () => {
    const secret = "correct-horse-battery-staple";
    const clean = (text: string): string => text.replaceAll(secret, "***");
    const property = fc.property(
      ...([fc.nat(400), fc.nat(400), fc.nat(60_000), fc.integer({ min: 60, max: 300 })] as const),
      (before, after, far, max) => {
        const text = `${".".repeat(before)}${secret}${".".repeat(far)}${secret}${".".repeat(after)}`;
        const clipped = clipText(text, max, clean);
        expect(clipped.length).toBeLessThanOrEqual(Math.max(max, text.length > max ? 0 : text.length));
        // Within the bound nothing is cut: whoever records it cleans it whole.
        if (text.length > max) expect(clipped).not.toMatch(/corr|horse|batt|stap/);
      },
    );
    fc.assert(property);
  });

  it("shows no part of a secret that others which are taken out move to the cut", () => {
    const secret = `s${"ecret-".repeat(16)}t`;
    const clean = (text: string): string => text.replaceAll(secret, "*");
    for (let offset = 0; offset < 100; offset += 7) {
      const text = `${".".repeat(offset)}${secret.repeat(400)}${".".repeat(offset)}`;
      for (const max of [60, 300, 4_000]) expect(clipText(text, max, clean)).not.toContain("ecret");
    }
  });
});
