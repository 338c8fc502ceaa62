import { toolResult } from "@agent-service/plugin-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMPONENT_CHARS, clipResult } from "./index.ts";

describe("clipResult", () => {
  it("passes text through and writes JSON values as JSON", () => {
    expect(clipResult("plain")).toEqual({ text: "plain" });
    expect(clipResult({ b: 1, a: [true, null, "é"] })).toEqual({ text: '{"b":1,"a":[true,null,"é"]}' });
    expect(clipResult(42)).toEqual({ text: "42" });
    expect(clipResult(null)).toEqual({ text: "null" });
    expect(clipResult(undefined)).toEqual({ text: "(no result)" });
  });

  it("writes what JSON.stringify writes, for every JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (typeof value === "string") return;
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(clipResult(plain).text).toBe(JSON.stringify(plain));
      }),
    );
  });

  it("gives a text to what JSON cannot hold", () => {
    const cyclic: { name: string; self?: unknown } = { name: "loop" };
    cyclic.self = cyclic;
    expect(clipResult(cyclic).text).toBe('{"name":"loop","self":"[circular]"}');
    expect(clipResult({ big: 12345678901234567890n, not: Number.NaN }).text).toBe(
      '{"big":12345678901234567890,"not":"NaN"}',
    );
    expect(clipResult(new TypeError("no such city")).text).toBe("TypeError: no such city");
    expect(clipResult({ cause: new Error("late") }).text).toBe('{"cause":"Error: late"}');
    expect(clipResult(function lookUp() {}).text).toBe('"[function lookUp]"');
    expect(clipResult(new Map([["a", new Set([1, 2])]])).text).toBe('{"a":[1,2]}');
    expect(clipResult({ raw: new Uint8Array(5) }).text).toBe('{"raw":"[5 bytes]"}');
    expect(clipResult(new Date(0)).text).toBe('"1970-01-01T00:00:00.000Z"');
  });

  it("shows the same object twice where it occurs twice", () => {
    const shared = { a: 1 };
    expect(clipResult([shared, shared]).text).toBe('[{"a":1},{"a":1}]');
  });

  it("survives getters, toJSON and proxies that throw, and shows the rest", () => {
    const hostile = {
      ok: 1,
      get bad(): string {
        throw new Error("boom");
      },
      date: {
        toJSON(): string {
          throw new Error("bang");
        },
      },
    };
    expect(clipResult(hostile).text).toBe('{"ok":1,"bad":"[not readable: boom]","date":"[not readable: bang]"}');
    const proxy = new Proxy(
      {},
      {
        get: () => {
          throw new Error("closed");
        },
        has: () => {
          throw new Error("closed");
        },
      },
    );
    expect(clipResult(proxy).text).toContain("closed");
  });

  it("stops at 64 levels of nesting", () => {
    let deep: unknown = "bottom";
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(clipResult(deep).text).toContain("nested too deep");
  });

  it("ends an endless toJSON and an endless iterator", () => {
    const endless = { toJSON: (): unknown => ({ ...endless }) };
    expect(clipResult(endless).text).toContain("nested too deep");
    const wide = Array.from({ length: 1_000_000 }, (_, i) => i);
    expect(clipResult(wide, { maxChars: 1000 }).text.length).toBeLessThanOrEqual(1000);
  });

  it("bounds 50 MB, as a text and inside a value", () => {
    const huge = "x".repeat(50 * 1024 * 1024);
    const text = clipResult(huge).text;
    const inside = clipResult({ body: huge, after: 1 }).text;
    expect(text).toHaveLength(100_000);
    expect(text).toContain("of 52428800 characters cut");
    expect(inside.length).toBeLessThanOrEqual(100_000);
    expect(inside.endsWith(',"after":1}') || inside.includes("not shown")).toBe(true);
  });

  it("is bounded, well formed and the same every time, for every value and bound", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, fc.integer({ min: 0, max: 300 }), (value, max) => {
        const { text } = clipResult(value, { maxChars: max });
        expect(text.length).toBeLessThanOrEqual(max);
        expect(text.isWellFormed()).toBe(true);
        expect(clipResult(value, { maxChars: max }).text).toBe(text);
      }),
    );
  });
});

describe("clipResult of a result with a component", () => {
  it("keeps text and component, the props as plain JSON", () => {
    const props = { rows: [[1]], at: new Date(0), skip: undefined };
    expect(clipResult(toolResult({ text: "shown", component: { component: "table", props, title: "T" } }))).toEqual({
      text: "shown",
      component: { component: "table", props: { rows: [[1]], at: "1970-01-01T00:00:00.000Z" }, title: "T" },
    });
  });

  it("leaves out a component that is too large or no JSON, with a note in the text", () => {
    const large = { rows: ["x".repeat(COMPONENT_CHARS)] };
    const result = clipResult(toolResult({ text: "shown", component: { component: "table", props: large } }));
    expect(result).toEqual({ text: expect.stringMatching(/^shown\n\[The component was not shown: its props are \d+/) });
    const bad = clipResult(toolResult({ text: "shown", component: { component: "table", props: 1n } }));
    expect(bad.component).toBeUndefined();
    expect(bad.text).toContain("not shown");
  });
});

describe("images of a result", () => {
  const png = Buffer.from("89504e470d0a1a0a00000000", "hex");
  const resultOf = (...images: unknown[]) => clipResult({ type: "tool-result", text: "t", images });

  it("are kept as what their bytes are", () => {
    const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1");
    const { text, images } = resultOf({ mimeType: "image/png", data: png }, { data: webp.toString("base64") });
    expect(text).toBe("t");
    expect(images).toEqual([
      { kind: "image", mediaType: "image/png", data: png.toString("base64") },
      { kind: "image", mediaType: "image/webp", data: webp.toString("base64") },
    ]);
  });

  it.each([
    [[{ mimeType: "image/png", data: "not base64!" }], "no base64"],
    [[{ mimeType: "image/png", data: Buffer.from("<svg/>") }], "no png, jpeg, gif or webp"],
    [[{ mimeType: "image/png", data: Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]) }], "at most 4194304"],
    [[{ mimeType: "image/png", data: 7 }, 7, null], "it has no data"],
    [Array(6).fill({ mimeType: "image/png", data: png }), "2 more of the images"],
  ])("are left out with the reason", (given, reason) => {
    const { text, images = [] } = resultOf(...given);
    expect(text).toContain(reason);
    expect(images.length).toBe(given.length === 6 ? 4 : 0);
  });
});
