import { describe, expect, it } from "vitest";
import { type HeldText, LongTexts } from "./long-texts.ts";

/** Text of which no two stretches are equal. */
function sentence(count: number, from = 0): string {
  return Array.from({ length: count }, (_, i) => `word ${Math.imul(from + i, 2_654_435_761) >>> 0} é\u{1f600} `).join(
    "",
  );
}
const read = (held: HeldText): string => {
  const taken: Uint8Array[] = [];
  while (held.length > 0) taken.push(held.take(5_000).slice());
  return Buffer.concat(taken).toString();
};

describe("long texts for readers that may not read", () => {
  it("are what was held, and are kept until they were read or released", () => {
    const texts = new LongTexts();
    const text = sentence(20_000);
    const [one, other] = [texts.hold(text), texts.hold(text)];
    expect(one.length).toBe(Buffer.byteLength(text));
    expect(texts.bytes).toBe(one.length);
    expect(read(one)).toBe(text);
    expect(texts.bytes).toBe(other.length);
    other.take(100);
    other.release();
    other.release();
    expect(texts.bytes).toBe(0);
  });

  it("of which each is a little longer and begins otherwise take hardly more than the longest", () => {
    const texts = new LongTexts();
    const story = sentence(40_000).replaceAll("\u{1f600}", ":");
    const held = Array.from({ length: 50 }, (_, i) => {
      const text = `{"seq":${10 ** (i % 8)},"text":"${story.slice(0, story.length - i * 200)}","usage":${i}}`;
      return { text, held: texts.hold(text) };
    });
    const longest = Buffer.byteLength(story);
    expect(texts.bytes).toBeLessThan(longest + 50 * 2 * 32 * 1024);
    expect(held.every((one) => read(one.held) === one.text)).toBe(true);
    expect(texts.bytes).toBe(0);
  });

  it("that several readers are at are made once", () => {
    const texts = new LongTexts();
    const key = { of: {}, as: texts };
    expect(texts.again(key)).toBeUndefined();
    const first = texts.hold("text", key);
    const again = texts.again(key);
    expect(texts.again({ of: {}, as: texts })).toBeUndefined();
    expect([read(first), again && read(again)]).toEqual(["text", "text"]);
    expect(texts.again(key)).toBeUndefined();
  });

  it("beyond the bound cut off the reader that has stalled for longest, and are refused where none has", () => {
    let now = 0;
    const texts = new LongTexts({ bytes: 800_000, stalledMs: 100 }, () => now);
    const cut: string[] = [];
    const hold = (name: string, from: number): HeldText => {
      const held = texts.hold(sentence(20_000, from), undefined);
      held.onCut = () => cut.push(name);
      return held;
    };
    hold("stalled", 0);
    const reads = hold("reads", 100_000);
    expect(() => hold("third", 200_000)).toThrow(expect.objectContaining({ status: 503 }));
    now = 200;
    reads.take(1_000);
    const third = hold("third", 200_000);
    expect(cut).toEqual(["stalled"]);
    expect(() => hold("fourth", 300_000)).toThrow("slow");
    for (const held of [reads, third]) held.release();
    expect(texts.bytes).toBe(0);
  });
});
