import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { callDigest, parseArguments } from "./index.ts";

const weather: AnyTool = defineTool({
  name: "weather",
  description: "Tells the weather.",
  input: v.object({
    city: v.string(),
    days: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(7)), 1),
    place: v.optional(v.object({ lat: v.number() })),
  }),
  run: () => "sunny",
});

const anything: AnyTool = defineTool({
  name: "anything",
  description: "Takes anything.",
  input: v.record(v.string(), v.unknown()),
  run: () => "taken",
});

function refusal(text: string, tool: AnyTool = weather): string {
  const parsed = parseArguments(tool, text);
  if (parsed.ok) throw new Error(`accepted ${text}`);
  return parsed.message;
}

describe("parseArguments", () => {
  it("gives the validated input, defaults filled in and unknown keys dropped", () => {
    const parsed = parseArguments(weather, '{"city":"Oslo","colour":"red"}');
    expect(parsed).toMatchObject({ ok: true, input: { city: "Oslo", days: 1 } });
  });

  it("spells the arguments as written, sorted, without defaults (A13)", () => {
    const parsed = parseArguments(weather, '{ "days": 2, "city": "Oslo" }');
    expect(parsed).toMatchObject({ ok: true, canonical: '{"city":"Oslo","days":2}' });
  });

  it("gives one digest to one call however it is spelled, and another to any other call (A13)", () => {
    const digest = (text: string, tool = anything) => parseArguments(tool, text).digest;
    expect(digest('{"a":1,"b":[1,2]}')).toMatch(/^[0-9a-f]{64}$/);
    expect(digest('{ "b": [1, 2], "a": 1 }')).toBe(digest('{"a":1,"b":[1,2]}'));
    expect(digest('{"a":1,"b":[2,1]}')).not.toBe(digest('{"a":1,"b":[1,2]}'));
    expect(digest('{"a":1}', { ...anything, name: "other" })).not.toBe(digest('{"a":1}'));
    expect(digest('{"a":1}')).toBe(callDigest("anything", '{"a":1}'));
  });

  it("names the path and what was expected (R4)", () => {
    expect(refusal('{"city":"Oslo","place":{"lat":"north"}}')).toContain("place.lat: ");
    expect(refusal('{"city":"Oslo","place":{"lat":"north"}}')).toContain("Expected number");
    expect(refusal('{"days":1}')).toMatch(/^Invalid arguments for weather: city: /);
    expect(refusal('{"city":"Oslo","days":99}')).toContain("days: ");
  });

  it("takes blank text as no arguments", () => {
    expect(parseArguments(anything, "")).toMatchObject({ ok: true, input: {}, canonical: "{}" });
    expect(parseArguments(anything, " \n")).toMatchObject({ ok: true, input: {} });
    expect(refusal("")).toContain("city");
  });

  it("names what it got when the arguments are no JSON or no object", () => {
    expect(refusal('{"city":')).toContain("not valid JSON");
    expect(refusal("[1]")).toContain("expected a JSON object, got an array");
    expect(refusal("null")).toContain("got null");
    expect(refusal('"Oslo"')).toContain("got a string");
  });

  it("refuses arguments nested deeper than 64 or longer than a million characters (S7)", () => {
    expect(refusal(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`, anything)).toContain("64 levels");
    expect(refusal(JSON.stringify({ a: "x".repeat(1_100_000) }), anything)).toContain("1048576");
  });

  it("lets no argument reach a prototype", () => {
    expect(refusal('{"__proto__":{"admin":true}}', anything)).toContain("__proto__");
    const parsed = parseArguments(anything, '{"constructor":{"prototype":{"admin":true}}}');
    expect(parsed.ok).toBe(true);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it("keeps a message short when everything is wrong", () => {
    const many: AnyTool = { ...anything, input: v.array(v.number()) as unknown as AnyTool["input"] };
    const list: AnyTool = { ...anything, input: v.object({ list: v.array(v.number()) }) };
    expect(refusal("{}", many).length).toBeLessThan(2000);
    const message = refusal(JSON.stringify({ list: Array.from({ length: 500 }, () => "x".repeat(1500)) }), list);
    expect(message.length).toBeLessThan(2000);
    expect(message).toContain("and 495 more");
  });

  it("turns a schema that throws into a message", () => {
    const broken: AnyTool = {
      ...anything,
      input: v.pipe(
        v.record(v.string(), v.unknown()),
        v.transform(() => {
          throw new Error("no such day");
        }),
      ),
    };
    expect(refusal("{}", broken)).toContain("no such day");
  });

  it("never throws, and gives a digest for every text", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((text) => text.slice(0, -1)),
      fc.record({ city: fc.jsonValue(), days: fc.jsonValue() }).map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(weather, anything), (text, tool) => {
        const parsed = parseArguments(tool, text);
        expect(parsed.digest).toMatch(/^[0-9a-f]{64}$/);
        if (parsed.ok) expect(parseArguments(tool, parsed.canonical)).toEqual(parsed);
        else expect(parsed.message).toContain(`Invalid arguments for ${tool.name}`);
      }),
    );
  });
});
