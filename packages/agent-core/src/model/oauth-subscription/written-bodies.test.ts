/** Bodies of both wires, written with what former calls left. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest, ReasoningEffort, WrittenConversation } from "../model-port.ts";
import { messagesBody } from "./messages-body.ts";
import { responsesBody } from "./responses-body.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ kind: "text", text }] });
const assistant = (text: string): ModelMessage => ({ role: "assistant", text });
const calling = (text: string, id: string): ModelMessage => ({
  ...{ role: "assistant", text },
  toolCalls: [{ id, name: "look", args: JSON.stringify({ text }) }],
});
const result = (text: string, callId: string): ModelMessage => ({ role: "tool", callId, name: "look", text });
const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" } }];

function request(messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: "m", system: "You help.", messages, tools, settings: {}, ...more };
}

const step = fc.record({
  kind: fc.constantFrom("grow", "grow", "grow", "replace", "shorten", "mark", "system"),
  at: fc.nat(20),
  text: fc.string({ unit: "grapheme", maxLength: 30 }),
});
const MADE = [user, assistant, (text: string) => calling(text, "c1"), (text: string) => result(text, "c1")];

describe.each([
  ["Messages", messagesBody, "messages"],
  ["Responses", (one: ModelRequest) => responsesBody(one, "responses/v1"), "input"],
  ["Responses (v0)", (one: ModelRequest) => responsesBody(one, "v0"), "input"],
] as const)("a body of the %s wire", (_, write, list) => {
  const read = (body: Buffer) => JSON.parse(body.toString()) as { readonly [list]: readonly object[] };

  it("is the same with former calls in mind as without", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const written: WrittenConversation = { kept: undefined, bytes: 0 };
        let messages: ModelMessage[] = [user("begin")];
        let more: Partial<ModelRequest> = {};
        for (const { kind, at, text } of steps) {
          if (kind === "grow") messages = [...messages, MADE[at % MADE.length]!(text)];
          else if (kind === "replace") messages = messages.with(at % messages.length, MADE[at % MADE.length]!(text));
          else if (kind === "shorten") messages = messages.slice(0, 1 + (at % messages.length));
          else if (kind === "mark") more = more.cache === undefined ? { ...more, cache: { ttl: "5m" } } : {};
          else more = { ...more, system: text };
          const body = write(request(messages, { ...more, written }));
          expect(body.toString()).toBe(write(request(messages, more)).toString());
          expect(read(body)).toMatchObject({ model: "m", stream: true });
        }
      }),
    );
  });

  it("begins with the body of the call before it, and writes none of its messages again", () => {
    const written: WrittenConversation = { kept: undefined, bytes: 0 };
    let readings = 0;
    const first: ModelMessage = {
      role: "assistant",
      get text() {
        readings++;
        return "x".repeat(40_000);
      },
    };
    const messages = [user("one"), first, user("two"), assistant("fine")];
    const before = write(request(messages, { written })).toString();
    const once = readings;
    const after = write(request([...messages, user("three")], { written })).toString();
    expect([after.startsWith(before.slice(0, -4)), readings]).toEqual([true, once]);
    expect(written.bytes).toBeGreaterThan(40_000);
  });

  it("holds nothing of what another wire left", () => {
    const written: WrittenConversation = { kept: undefined, bytes: 0 };
    const messages = [assistant(""), user(""), calling("", "c1"), result("", "c1"), user("and"), user("again")];
    messagesBody(request(messages, { written }));
    responsesBody(request(messages, { written }), "v0");
    const body = read(write(request(messages, { written })));
    expect(body).toEqual(read(write(request(messages))));
    expect(read(write(request([]))) as object).toHaveProperty(list);
  });

  it("takes the list of the settings in place of its own", () => {
    const settings = { extraBody: { [list]: [{ own: true }] } };
    expect(read(write(request([user("one")], { settings })))[list]).toEqual([{ own: true }]);
  });
});

it("alternates the roles of the Messages wire and begins with a user, whatever the conversation", () => {
  const kinds = fc.array(fc.tuple(fc.nat(3), fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(kinds, fc.boolean(), (made, cached) => {
      const messages = made.map(([kind, text]) => MADE[kind]!(text));
      const body = messagesBody(request(messages, cached ? { cache: { ttl: "1h" } } : {})).toString();
      const { messages: turns } = JSON.parse(body) as { messages: { role: string; content: { type: string }[] }[] };
      expect(turns.map(({ role }) => role)).toEqual(turns.map((__, at) => (at % 2 === 0 ? "user" : "assistant")));
      expect(turns.every(({ content }) => content.length > 0)).toBe(true);
      expect(body.split("cache_control").length - 1).toBeLessThanOrEqual(3);
    }),
  );
});

describe("the reasoning effort", () => {
  const effort = (reasoningEffort: ReasoningEffort) => request([user("Hello")], { settings: { reasoningEffort } });
  const read = (body: Buffer): unknown => JSON.parse(body.toString());

  it("is the output's on the Messages wire, which knows none below low", () => {
    expect(read(messagesBody(effort("max")))).toMatchObject({ output_config: { effort: "max" } });
    for (const less of ["none", "minimal"] as const)
      expect(read(messagesBody(effort(less)))).not.toHaveProperty("output_config");
  });

  it("is the reasoning's on the Responses wire", () => {
    expect(read(responsesBody(effort("none"), "responses/v1"))).toMatchObject({ reasoning: { effort: "none" } });
    expect(read(responsesBody(request([user("Hello")]), "responses/v1"))).not.toHaveProperty("reasoning");
  });
});
