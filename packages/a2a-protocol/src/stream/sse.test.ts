import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { createSseParser, encodeJsonEvent, encodeSseEvent, type SseEvent, SseLimitError } from "./index.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string): SseEvent[] => createSseParser().push(bytes(text));
const inPieces = (all: Uint8Array, cuts: readonly number[]): SseEvent[] => {
  const parser = createSseParser();
  const ends = [...cuts.map((cut) => cut % (all.length + 1)), all.length].sort((a, b) => a - b);
  let start = 0;
  return ends.flatMap((end) => {
    const piece = all.slice(start, end);
    start = end;
    return parser.push(piece);
  });
};

describe("reading server-sent events", () => {
  it("joins data lines and keeps id and name", () => {
    expect(parse("id: 4\nevent: x\ndata: a\ndata:b\ndata\n\n")).toEqual([{ id: "4", event: "x", data: "a\nb\n" }]);
  });

  it("ends lines at LF, CR and CRLF, mixed", () => {
    expect(parse("data: a\r\ndata: b\rdata: c\n\r\ndata: d\r\rdata: e\n\n").map((event) => event.data)).toEqual([
      "a\nb\nc",
      "d",
      "e",
    ]);
  });

  it("ignores a byte order mark, comments, unknown fields and ids with NUL", () => {
    expect(parse("\uFEFFdata: a\n: hello\nfoo: bar\nid: 1\n\nid: 2\0\ndata: b\n\n")).toEqual([
      { id: "1", event: "message", data: "a" },
      { id: "1", event: "message", data: "b" },
    ]);
  });

  it("dispatches nothing without data, and drops what the end cuts off", () => {
    expect(parse("id: 3\nevent: x\n\ndata: a\n\ndata: lost\n")).toEqual([{ id: "3", event: "message", data: "a" }]);
  });

  it("clears the id with an empty one, and reads retry only from digits", () => {
    const parser = createSseParser();
    expect(parser.push(bytes("id: 1\ndata: a\n\nid\ndata: b\nretry: 15\n\nretry: x1\n\n")).map(({ id }) => id)).toEqual(
      ["1", ""],
    );
    expect(parser.retry).toBe(15);
  });

  it("refuses events and lines beyond its limit", () => {
    const parser = () => createSseParser({ maxEventLength: 10 });
    expect(() => parser().push(bytes(`data: ${"x".repeat(20)}`))).toThrow(SseLimitError);
    expect(() => parser().push(bytes("data: 1234\ndata: 5678\ndata: 90\n"))).toThrow(SseLimitError);
    expect(() => parser().push(bytes(`:${"x".repeat(20)}`))).toThrow(SseLimitError);
    expect(parser().push(bytes("data: 1234\n\n".repeat(50)))).toHaveLength(50);
  });

  it("gives back what was encoded, however the bytes are cut", () => {
    const line = fc.string({ unit: codePoint }).map((text) => text.replace(/[\r\n\0]/g, ""));
    const event = fc.record({
      data: fc.string({ unit: codePoint }).map((text) => text.replace(/\r\n?/g, "\n")),
      id: line,
      event: line.filter((name) => name !== ""),
    });
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat(5000)), fc.boolean(), (events, cuts, mark) => {
        // A lone surrogate does not survive UTF-8, as nowhere on the web.
        const expected = events.map(({ data, id, event: name }) => ({
          data: data.toWellFormed(),
          id: id.toWellFormed(),
          event: name.toWellFormed(),
        }));
        const text = events.map(encodeSseEvent).join(":\n\n");
        expect(inPieces(bytes((mark ? "\uFEFF" : "") + text), cuts)).toEqual(expected);
      }),
    );
  });

  it("reads any bytes the same way, whole or in pieces, and never throws below its limit", () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .array(fc.constantFrom("data: a", "id:1", "\r", "\n", "\r\n", ":c", "é", "😀", "\uFEFF", "retry: 5"))
        .map((list) => bytes(list.join(""))),
    );
    fc.assert(
      fc.property(noise, fc.array(fc.nat(500)), (all, cuts) => {
        expect(inPieces(all, cuts)).toEqual(createSseParser().push(all));
      }),
    );
  });
});

describe("writing server-sent events", () => {
  it("numbers JSON events on one line", () => {
    expect(encodeJsonEvent(12, '{"a":1}')).toBe('id: 12\ndata: {"a":1}\n\n');
  });

  it("refuses ids and names that would break the framing", () => {
    for (const bad of ["a\nb", "a\rb", "a\0b"]) {
      expect(() => encodeSseEvent({ data: "", id: bad })).toThrow(RangeError);
      expect(() => encodeSseEvent({ data: "", event: bad })).toThrow(RangeError);
    }
  });
});
