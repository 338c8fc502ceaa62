import fc from "fast-check";
import { expect, it } from "vitest";
import type { ModelMessage, ModelRequest, WrittenConversation } from "../model-port.ts";
import { RequestBodyWriter } from "./request-body.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ kind: "text", text }] });
const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }];

function request(messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: "m", system: "You help.", messages, tools, settings: {}, ...more };
}

const step = fc.record({
  kind: fc.constantFrom("grow", "grow", "grow", "replace", "shorten", "mark", "hour", "system", "stable"),
  at: fc.nat(20),
  text: fc.string({ unit: "grapheme", maxLength: 30 }),
});

it("what is written with former calls in mind is what is written without", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const written: WrittenConversation = { kept: undefined, bytes: 0 };
      const writer = new RequestBodyWriter();
      let messages: ModelMessage[] = [user("begin")];
      let more: Partial<ModelRequest> = {};
      for (const { kind, at, text } of steps) {
        if (kind === "grow") messages = [...messages, at % 2 === 0 ? user(text) : { role: "assistant", text }];
        else if (kind === "replace") messages = messages.with(at % messages.length, user(text));
        else if (kind === "shorten") messages = messages.slice(0, 1 + (at % messages.length));
        else if (kind === "mark") more = more.cache === undefined ? { ...more, cache: { ttl: "5m" } } : {};
        else if (kind === "hour") more = { ...more, cache: { ttl: "1h" } };
        else if (kind === "stable") more = { ...more, stableSystemChars: at };
        else more = { ...more, system: text };
        const body = writer.write(request(messages, { ...more, written })).toString();
        expect(body).toBe(new RequestBodyWriter().write(request(messages, more)).toString());
        expect(JSON.parse(body)).toMatchObject({ model: "m", stream: true });
      }
    }),
  );
});

it("a call's body begins with the body of the call before it", () => {
  const writer = new RequestBodyWriter();
  const written: WrittenConversation = { kept: undefined, bytes: 0 };
  const before = writer.write(request([user("one"), user("two")], { written })).toString();
  const after = writer.write(request([user("one"), user("two"), user("three")], { written })).toString();
  expect(after.startsWith(before.slice(0, -2))).toBe(true);
});

it("nothing is left of what another writer kept, and the owner has the bytes counted", () => {
  const written: WrittenConversation = { kept: undefined, bytes: 0 };
  const messages = [user("x".repeat(40_000)), user("two")];
  const first = new RequestBodyWriter().write(request(messages, { written })).toString();
  expect(written.bytes).toBeGreaterThan(40_000);
  expect(new RequestBodyWriter().write(request(messages, { written })).toString()).toBe(first);
});

it("a body without messages of the conversation is JSON, with a system message and without", () => {
  const sent = (more: Partial<ModelRequest>): unknown =>
    JSON.parse(new RequestBodyWriter().write(request([], more)).toString()).messages;
  expect([sent({}), sent({ system: "" })]).toEqual([[{ role: "system", content: "You help." }], []]);
});
