import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EventText, Outbox } from "./outbox.ts";

const encoder = new TextEncoder();
const bytesOf = (piece: string | Uint8Array): Uint8Array => (typeof piece === "string" ? encoder.encode(piece) : piece);

describe("what waits to be sent", () => {
  it("comes out as it went in, in pieces of the size asked for, whatever was added when", () => {
    const piece = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.uint8Array({ maxLength: 40 }));
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.array(piece, { maxLength: 5 }));
    const steps = fc.array(fc.oneof(text, fc.integer({ min: 2, max: 30 })), { maxLength: 20 });
    fc.assert(
      fc.property(steps, (all) => {
        const outbox = new Outbox("");
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
          outbox.add(step as EventText);
          for (const each of typeof step === "string" ? [step] : step) added.push(bytesOf(each));
        }
        while (outbox.length > 0) take(7);
        expect(Buffer.concat(taken)).toEqual(Buffer.concat(added));
      }),
    );
  });

  it("shares bytes and does not part surrogate pairs", () => {
    const shared = encoder.encode("0123456789");
    const outbox = new Outbox(["a\u{1f600}", shared]);
    expect(outbox.take(2)).toBe("a");
    expect(outbox.take(2)).toBe("\u{1f600}");
    const chunk = outbox.take(4) as Uint8Array;
    expect([chunk.buffer === shared.buffer, chunk.length]).toEqual([true, 4]);
  });
});
