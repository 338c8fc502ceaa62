import {
  errorReply,
  type GatewayScript,
  type LocalGateway,
  localGateway,
  textReply,
  toolReply,
} from "@agent-service/agent-core/testing";
import { afterEach, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../testing/test-service.ts";

let gateway: LocalGateway;
let running: TestService | undefined;

async function start(script: GatewayScript, promptCache = "{}"): Promise<TestService> {
  gateway = await localGateway(script);
  running = await startTestService({
    config: `
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }
model: { name: "gw:m", max_retries: 0 }
prompt_cache: ${promptCache}
`,
  });
  return running;
}

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await gateway.close();
});

interface Wire {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: unknown;
}

const bodies = (): Wire[] => gateway.requests.map(({ body }) => body as Wire);

/** The messages as bytes, open at the end, so that one request can be held against the next. */
function opened(messages: unknown): string {
  return JSON.stringify(messages).slice(0, -1);
}

/** The same without marks, which move on with the newest messages. */
function plain({ messages }: Wire): string {
  const text = ({ content, ...rest }: Wire["messages"][number]) => ({
    ...rest,
    content: Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? "").join("") : content,
  });
  return opened(messages.map(text));
}

const CALC = { name: "calculator", args: { expression: "6*7" } };

describe("the prefix of the prompt (B55 `prompt_cache`)", () => {
  it("is marked always where settings force it, also for a gateway that refuses marks", async () => {
    const refusal = errorReply(400, "cache_control: Extra inputs are not permitted");
    const service = await start(refusal, "{ force: true }");
    for (const text of ["first", "second"]) await service.wire.say(text);
    expect(bodies().map((body) => JSON.stringify(body).includes("cache_control"))).toEqual([true, true]);
  });

  it("is the same bytes from call to call and from turn to turn, marked behind the system text", async () => {
    const service = await start((_, count) => (count % 3 === 0 ? textReply("42") : toolReply(CALC)));
    for (const text of ["first", "second"]) await service.wire.say(text, { contextId: "c" });
    const [one, two, three, four, five] = bodies() as [Wire, Wire, Wire, Wire, Wire];
    expect(one.messages[0]).toEqual({
      role: "system",
      content: [{ type: "text", text: expect.any(String), cache_control: { type: "ephemeral" } }],
    });
    expect(one.messages[1]?.content).toEqual([{ type: "text", text: "first", cache_control: { type: "ephemeral" } }]);
    // Within a turn every byte stays.
    expect(opened(two.messages).startsWith(opened(one.messages))).toBe(true);
    expect(opened(three.messages).startsWith(opened(two.messages))).toBe(true);
    expect(opened(five.messages).startsWith(opened(four.messages))).toBe(true);
    // Into the next turn the prefix does, and the conversation but for the marks.
    for (const each of bodies()) {
      expect(JSON.stringify([each.tools, each.messages[0]])).toBe(JSON.stringify([one.tools, one.messages[0]]));
    }
    expect(plain(four).startsWith(plain(three))).toBe(true);
    expect(JSON.stringify(four.messages).match(/cache_control/g)).toHaveLength(3);
  });

  it("keeps what one caller adds behind the mark", async () => {
    const service = await start(textReply("ok"), '{ ttl: "1h" }');
    await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "gw:m",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "hi" },
        ],
      }),
    });
    expect(bodies()[0]?.messages[0]?.content).toEqual([
      { type: "text", text: expect.not.stringContaining("Be brief."), cache_control: { type: "ephemeral", ttl: "1h" } },
      { type: "text", text: expect.stringContaining("Be brief.") },
    ]);
  });

  it("where a provider refuses the marks: one retry without, then plain, and a line in the log", async () => {
    const refuse: GatewayScript = ({ body }) =>
      JSON.stringify(body).includes("cache_control")
        ? errorReply(400, "messages.0.content.0.cache_control: Extra inputs are not permitted")
        : textReply("plain");
    const service = await start(refuse);
    for (const text of ["first", "second"]) expect((await service.wire.say(text)).status.state).toBe("completed");
    expect(bodies().map((body) => JSON.stringify(body).includes("cache_control"))).toEqual([true, false, false]);
    expect(bodies()[1]?.messages[1]?.content).toBe("first");
    expect(service.log.filter((line) => line.includes("refuses cache markers"))).toHaveLength(1);
  });

  it("is sent plainly when it is off", async () => {
    const service = await start(textReply("ok"), "{ enabled: false }");
    await service.wire.say("hi");
    expect(JSON.stringify(bodies())).not.toContain("cache_control");
  });
});
