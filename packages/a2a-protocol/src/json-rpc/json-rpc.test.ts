import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { A2AError } from "../error/index.ts";
import { brokenBound, errorEnvelope, JSON_BOUNDS, parseJson, parseRequest, resultOf } from "./index.ts";

const valid = { jsonrpc: "2.0", id: 7, method: "tasks/get", params: { id: "t" } };
const code = (body: unknown) => {
  const parsed = parseRequest(typeof body === "string" ? body : JSON.stringify(body));
  return "error" in parsed ? [parsed.error.code, parsed.idJson] : parsed.method;
};

describe("reading a JSON-RPC request (A4)", () => {
  it("takes method, params and the id as the caller wrote it", () => {
    expect(parseRequest(JSON.stringify(valid))).toMatchObject({
      idJson: "7",
      method: "tasks/get",
      params: { id: "t" },
    });
    expect(parseRequest(JSON.stringify({ ...valid, id: 'a"b' }))).toMatchObject({ idJson: '"a\\"b"' });
  });

  it.each([
    ["what is not JSON", "{", [-32700, "null"]],
    ["an empty body", "", [-32700, "null"]],
    ["a number", "1", [-32600, "null"]],
    ["null", "null", [-32600, "null"]],
    ["a batch", [valid], [-32600, "null"]],
    ["an empty batch", [], [-32600, "null"]],
    ["another version", { ...valid, jsonrpc: "1.0" }, [-32600, "7"]],
    ["a missing version", { id: 1, method: "x" }, [-32600, "1"]],
    ["a missing method", { jsonrpc: "2.0", id: "q" }, [-32600, '"q"']],
    ["a method that is no string", { ...valid, method: 3 }, [-32600, "7"]],
    ["an id that is an object", { ...valid, id: {} }, [-32600, "null"]],
    ["an id that is a list", { ...valid, id: [1] }, [-32600, "null"]],
    ["an id of 1,025 characters", { ...valid, id: "i".repeat(1025) }, [-32600, "null"]],
    ["an id that is a boolean", { ...valid, id: true }, [-32600, "null"]],
  ])("refuses %s", (_, body, expected) => expect(code(body)).toEqual(expected));

  it("distinguishes a notification from a request whose id is null", () => {
    expect(parseRequest('{"jsonrpc":"2.0","method":"x"}')).toMatchObject({ method: "x", isNotification: true });
    expect(parseRequest('{"jsonrpc":"2.0","method":"x","id":null}')).toMatchObject({
      idJson: "null",
      isNotification: false,
    });
  });

  it("refuses nesting beyond 64 levels, however it is hidden (S7) [DEV-bounds]", () => {
    const deep = (n: number) => `{"jsonrpc":"2.0","id":1,"method":"x","params":${"[".repeat(n)}${"]".repeat(n)}}`;
    expect(code(deep(63))).toBe("x");
    expect(code(deep(64))).toEqual([-32600, "null"]);
    expect(code("[".repeat(5_000_000))).toEqual([-32600, "null"]);
    expect(code('{"a":'.repeat(100_000))).toEqual([-32600, "null"]);
    expect(code({ ...valid, params: { text: "[".repeat(1000), quote: '\\"['.repeat(100) } })).toBe("tasks/get");
  });

  it("drops keys that would reach a prototype, also spelled with escapes [R10-14.1.1-3]", () => {
    for (const key of ["__proto__", "\\u005f_proto__", "_\\u005Fproto_\\u005f"]) {
      const value = parseJson(`{"a":{"${key}":{"polluted":true},"b":1}}`) as { a: object };
      expect(Object.getOwnPropertyNames(value.a)).toEqual(["b"]);
      expect(Object.assign({}, value.a)).not.toHaveProperty("polluted");
    }
  });

  it("refuses more values than can be parsed while others wait, however few their bytes", () => {
    const many = (count: number): string => `[${"0,".repeat(count)}0]`;
    // One for the list, one for each number, one for the whole.
    expect((parseJson(many(JSON_BOUNDS.values - 2)) as unknown[]).length).toBe(JSON_BOUNDS.values - 1);
    const message = "The body holds more than 100000 values";
    expect(() => parseJson(many(JSON_BOUNDS.values - 1))).toThrow(message);
    for (const one of ["[]", "{}", '""', '"\\u005f"']) {
      expect(() => parseJson(`[${`${one},`.repeat(JSON_BOUNDS.values)}0]`)).toThrow(message);
    }
    expect(parseJson(JSON.stringify(",[{".repeat(JSON_BOUNDS.values)))).toHaveLength(3 * JSON_BOUNDS.values);
  });

  it("never throws, and counts as a parser would, for any input", () => {
    const below = (value: unknown): unknown[] =>
      typeof value === "object" && value !== null ? Object.values(value) : [];
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...below(value).map(depth)) : 0;
    const values = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? Math.max(1, below(value).length) + below(value).reduce<number>((sum, each) => sum + values(each), 0)
        : 0;
    fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => void parseRequest(text)));
    fc.assert(fc.property(fc.stringMatching(/^[[\]{}":,\\0a]*$/), (text) => void parseRequest(text)));
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 8 }), (value, limit) => {
        const text = JSON.stringify(value);
        const most = Number.POSITIVE_INFINITY;
        expect(brokenBound(text, { depth: limit, values: most })).toBe(depth(value) > limit ? "depth" : undefined);
        expect(brokenBound(text, { depth: most, values: limit })).toBe(
          1 + values(value) > limit && values(value) > 0 ? "values" : undefined,
        );
        parseRequest(JSON.stringify(value));
      }),
    );
  });
});

describe("JSON-RPC responses", () => {
  it("carry an error's data only where JSON can", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const envelope = errorEnvelope("1", new A2AError("INVALID_PARAMS", "no", { data: cycle }));
    expect(JSON.parse(envelope)).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "no" } });
  });

  it("give their result, or throw the error they carry", () => {
    expect(resultOf('{"jsonrpc":"2.0","id":1,"result":null}')).toBeNull();
    expect(() => resultOf(errorEnvelope("1", new A2AError("TASK_NOT_FOUND")))).toThrow(
      expect.objectContaining({ name: "A2AError", code: -32001, reason: "TASK_NOT_FOUND" }),
    );
    for (const nonsense of ["", "[]", "1", "{}", '{"error":{}}', '{"error":"no"}', "<html>"]) {
      expect(() => resultOf(nonsense)).toThrow(expect.objectContaining({ code: -32006 }));
    }
  });
});
