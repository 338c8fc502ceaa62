import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../../test/values/text.ts";
import { LongTexts } from "./long-texts.ts";
import { Outbox, type OutgoingText } from "./outbox.ts";

const encoder = new TextEncoder();
const bytesOf = (piece: string | Uint8Array): Uint8Array => (typeof piece === "string" ? encoder.encode(piece) : piece);

describe("what waits to be sent", () => {
  it("comes out as it went in, in pieces of the size asked for, whatever was added when", () => {
    const long = fc.record({ long: fc.string({ unit: codePoint, maxLength: 40 }) });
    const text = fc.oneof(fc.string({ unit: codePoint }), fc.array(fc.oneof(fc.string({ unit: codePoint }), long)));
    const steps = fc.array(fc.oneof(text, fc.integer({ min: 2, max: 30 })), { maxLength: 20 });
    fc.assert(
      fc.property(steps, (all) => {
        const texts = new LongTexts();
        const outbox = new Outbox("", () => {});
        const added: Uint8Array[] = [];
        const taken: Uint8Array[] = [];
        const take = (most: number): void => {
          const before = outbox.length;
          const chunk = outbox.take(most);
          expect(chunk.length).toBeLessThanOrEqual(most);
          expect(chunk.length > 0).toBe(before > 0);
          expect(outbox.length).toBe(before - chunk.length);
          taken.push(bytesOf(chunk));
        };
        for (const step of all) {
          if (typeof step === "number") {
            take(step);
            continue;
          }
          const pieces = typeof step === "string" ? [step] : step;
          for (const piece of pieces) added.push(encoder.encode(typeof piece === "string" ? piece : piece.long));
          const held: OutgoingText = pieces.map((piece) =>
            typeof piece === "string" ? piece : texts.hold(piece.long),
          );
          outbox.add(held);
        }
        while (outbox.length > 0) take(7);
        expect(Buffer.concat(taken)).toEqual(Buffer.concat(added));
        expect(texts.bytes).toBe(0);
      }),
    );
  });

  it("does not part surrogate pairs, shares long texts, and releases them when it is cleared", () => {
    const texts = new LongTexts();
    const key = { of: "it", as: texts };
    const first = new Outbox(["a\u{1f600}", texts.hold("0123456789", key)], () => {});
    const second = new Outbox([texts.again(key)!], () => {});
    expect(first.take(2)).toBe("a");
    expect(first.take(2)).toBe("\u{1f600}");
    const [one, other] = [first.take(4) as Uint8Array, second.take(4) as Uint8Array];
    expect([one.buffer === other.buffer, texts.bytes]).toEqual([true, 10]);
    first.clear();
    expect([first.length, texts.bytes]).toEqual([0, 10]);
    second.clear();
    expect([texts.bytes, texts.again(key)]).toEqual([0, undefined]);
  });
});
