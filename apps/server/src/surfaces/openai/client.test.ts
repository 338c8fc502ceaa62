/** The official `openai` client against a running service (V1: "the official clients work unchanged"). */
import type { AnyTool } from "@agent-service/agent-core/host";
import { errorReply, type LocalGateway, localGateway, textReply } from "@agent-service/agent-core/testing";
import OpenAI, { APIError } from "openai";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const deeds: string[] = [];
/** A tool with an effect that a person has to approve. */
const deed: AnyTool = {
  name: "deed",
  description: "Does something that cannot be undone.",
  input: v.object({ text: v.string() }),
  effect: "effect",
  approval: ({ text }: { text: string }) => ({ title: "Do it?", detail: `About to do ${text}` }),
  run({ text }: { text: string }) {
    deeds.push(text);
    return `did ${text}`;
  },
};

let gateway: LocalGateway;
let running: TestService;
beforeAll(async () => {
  gateway = await localGateway(textReply("ok"));
  running = await startTestService({
    tools: [deed],
    env: { AGENT_NAME: "sam" },
    config: `
providers:
  - { id: scripted, type: scripted }
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }
model: { name: "scripted:demo", favorites: ["gw:meta/llama"], max_retries: 0 }
auth: { token: operator-token, federation_token: peer-token }
# What the gateway is sent is compared as plain text here.
prompt_cache: { enabled: false }
`,
  });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

const clientOf = (apiKey = "operator-token", maxRetries = 0): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${running.url}/v1`, maxRetries });

type Message = OpenAI.ChatCompletionMessageParam;
const user = (content: string): Message => ({ role: "user", content });

async function thrown(promise: Promise<unknown>): Promise<APIError> {
  const error = await promise.then(
    () => expect.fail("nothing was thrown"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof APIError)) throw error;
  return error;
}

async function streamed(client: OpenAI, messages: Message[], more: Json = {}) {
  const stream = await client.chat.completions.create({ model: "sam", messages, ...more, stream: true });
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
  return { chunks, text };
}

describe("models", () => {
  it("are the agent, then its favourites, alone and as a list", async () => {
    const client = clientOf("peer-token");
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(["sam", "gw:meta/llama"]);
    const one = await client.models.retrieve("gw:meta/llama");
    expect(one).toMatchObject({ id: "gw:meta/llama", object: "model", created: expect.any(Number) });
    expect(await thrown(client.models.retrieve("gpt-4"))).toMatchObject({ status: 404, code: "model_not_found" });
  });
});

describe("a completion", () => {
  it("answers with the text, why it ends and what it cost", async () => {
    const done = await clientOf().chat.completions.create({
      model: "sam",
      messages: [user('/call calculator {"expression":"6*7"}')],
    });
    expect(done).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      model: "sam",
      choices: [
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: "calculator returned: 42" } },
      ],
    });
    const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details } = done.usage ?? expect.fail();
    expect(prompt_tokens + completion_tokens).toBe(total_tokens);
    expect(prompt_tokens_details).toEqual({ cached_tokens: 0 });
    // Everything is a task (R1), readable on every surface.
    const wire = running.wireAs({ authorization: "Bearer operator-token" });
    const task = await wire.result("tasks/get", { id: done.id.slice("chatcmpl-".length) });
    expect(task).toMatchObject({ status: { state: "completed" }, data: { usage: { total_tokens } } });
  });

  it("streams: role, chunks, finish reason, usage", async () => {
    const { chunks, text } = await streamed(clientOf(), [user("/stream 40\n/wait 60\n/stream 40")], {
      stream_options: { include_usage: true },
    });
    const choices = chunks.map((chunk) => chunk.choices[0]);
    expect(choices[0]?.delta).toEqual({ role: "assistant", content: "" });
    expect(text.split(" ")).toHaveLength(81);
    expect(chunks.length).toBeGreaterThan(4);
    expect(choices.flatMap((choice) => choice?.finish_reason ?? [])).toEqual(["stop"]);
    const last = chunks.at(-1);
    expect(last).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it("leaves text that turned out not to be the answer, apart from what follows", async () => {
    const script = '/say Let me see.\n/call calculator {"expression":"1+1"}\n/then\n/say Two.';
    expect((await streamed(clientOf(), [user(script)])).text).toBe("Let me see.\n\nTwo.");
    const whole = await clientOf().chat.completions.create({ model: "sam", messages: [user(script)] });
    expect(whole.choices[0]?.message.content).toBe("Two.");
  });

  it("works with the client's own stream helper", async () => {
    const stream = clientOf().chat.completions.stream({ model: "sam", messages: [user("/say one two")] });
    expect(await stream.finalContent()).toBe("one two");
  });

  it("calls another model where one is named, and reports when it was cut off", async () => {
    gateway.answer((request) => {
      expect(request.body).toMatchObject({ model: "meta/llama" });
      return textReply("From the gateway.");
    });
    const done = await clientOf().chat.completions.create({ model: "gw:meta/llama", messages: [user("hi")] });
    expect(done).toMatchObject({ model: "gw:meta/llama", choices: [{ message: { content: "From the gateway." } }] });
    const cut = { choices: [{ index: 0, delta: { content: "Once upon" }, finish_reason: "length" }] };
    gateway.answer({ steps: [`data: ${JSON.stringify(cut)}\n\n`, "data: [DONE]\n\n"] });
    const long = await clientOf().chat.completions.create({ model: "gw:meta/llama", messages: [user("hi")] });
    expect(long.choices[0]).toMatchObject({ finish_reason: "length", message: { content: "Once upon" } });
  });
});

describe("the conversation", () => {
  it("without a session is the conversation of its messages", async () => {
    gateway.answer(textReply("Ann."));
    const messages: Message[] = [
      { role: "system", content: "Be brief." },
      user("I am Ann."),
      { role: "assistant", content: null, tool_calls: [toolCall("c1", "weather", '{"city":"Rome"}')] },
      { role: "tool", tool_call_id: "c1", content: "Rain." },
      { role: "assistant", content: "It rains." },
      { role: "user", content: [{ type: "text", text: "Who am I?" }, image] },
    ];
    const count = gateway.requests.length;
    await clientOf().chat.completions.create({ model: "gw:meta/llama", messages });
    const { body } = await gateway.untilRequest(count + 1);
    const [system, ...rest] = (body as Json).messages;
    expect(system).toMatchObject({
      role: "system",
      content: expect.stringMatching(/^You are sam.*\n\n.*\nBe brief\.$/s),
    });
    expect(rest).toEqual([
      { role: "user", content: "I am Ann." },
      { role: "user", content: 'The tool weather, called with {"city":"Rome"}, returned:\nRain.' },
      { role: "assistant", content: "It rains." },
      {
        role: "user",
        content: [
          { type: "text", text: "Who am I?" },
          { type: "image_url", image_url: image.image_url },
        ],
      },
    ]);
  });

  it.each([
    ["body", { session_id: "in-the-body" }, {}],
    ["header", { user: "ignored" }, { headers: { "X-Session-Id": "in-a-header" } }],
  ])("with a session in the %s continues with the last user message alone", async (_, more, options) => {
    gateway.answer((_request, count) => textReply(`Answer ${count}`));
    const ask = (messages: Message[]) =>
      clientOf().chat.completions.create({ model: "gw:meta/llama", messages, ...more } as never, options);
    const count = gateway.requests.length;
    await ask([user("one")]);
    await ask([user("one"), { role: "assistant", content: "made up" }, user("two")]);
    const { body } = await gateway.untilRequest(count + 2);
    expect((body as Json).messages.slice(1).map(({ content }: Json) => content)).toEqual([
      "one",
      `Answer ${count + 1}`,
      "two",
    ]);
  });

  it("of one user is as many conversations as there are, for front ends send one user for all chats", async () => {
    gateway.answer(textReply("ok"));
    const ask = (content: string) =>
      clientOf()
        .chat.completions.create({ model: "gw:meta/llama", messages: [user(content)], user: "everybody" })
        .withResponse();
    const sessions = [await ask("one"), await ask("two")].map(({ response }) => response.headers.get("x-session-id"));
    expect(new Set([...sessions, "everybody"]).size).toBe(3);
    const body = (await gateway.untilRequest(gateway.requests.length)).body as Json;
    expect(body.messages.slice(1)).toEqual([user("two")]);
  });

  it("of a federation caller is its own, and the same as its A2A context (A16)", async () => {
    gateway.answer(textReply("ok"));
    const ask = (client: OpenAI, content: string) =>
      client.chat.completions
        .create({ model: "gw:any", messages: [user(content)], session_id: "shared-name" } as never)
        .withResponse();
    await ask(clientOf(), "the operator's");
    const count = gateway.requests.length;
    const { data, response } = await ask(clientOf("peer-token"), "the peer's");
    const { body } = await gateway.untilRequest(count + 1);
    expect((body as Json).messages.slice(1)).toEqual([{ role: "user", content: "the peer's" }]);
    expect(response.headers.get("x-session-id")).toBe("shared-name");
    const peer = running.wireAs({ authorization: "Bearer peer-token" });
    const { id } = data as OpenAI.ChatCompletion;
    const task = await peer.result("tasks/get", { id: id.slice("chatcmpl-".length) });
    expect(task.contextId).toBe("shared-name");
  });
});

const toolCall = (id: string, name: string, args: string) =>
  ({ id, type: "function", function: { name, arguments: args } }) as const;
const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } } as const;

describe("a turn that needs a person (A13)", () => {
  const say = (client: OpenAI, session: string, text: string) =>
    client.chat.completions.create({
      model: "sam",
      messages: [user(text)],
      session_id: session,
    } as never) as Promise<OpenAI.ChatCompletion>;
  const contentOf = (done: OpenAI.ChatCompletion) => done.choices[0]?.message.content;

  it("answers with its question, and the next message of the session answers it", async () => {
    const asked = await say(clientOf(), "q", '/say Well.\n/call ask_human {"question":"Which colour?"}');
    expect(asked.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Which colour?" } });
    const answered = await say(clientOf(), "q", "Green");
    expect(contentOf(answered)).toBe("ask_human returned: Green");
    expect(answered.id).toBe(asked.id);
    const next = await say(clientOf(), "q", "/say something else");
    expect([contentOf(next), next.id === asked.id]).toEqual(["something else", false]);
  });

  it("streams the question apart from earlier text, and the answer's turn without what came before", async () => {
    const session = { session_id: "streamed" };
    const script = '/say Well.\n/call ask_human {"question":"Which colour?"}';
    expect((await streamed(clientOf(), [user(script)], session)).text).toBe("Well.\n\nWhich colour?");
    const { chunks, text } = await streamed(clientOf(), [user("Green")], {
      ...session,
      stream_options: { include_usage: true },
    });
    expect(text).toBe("ask_human returned: Green");
    const usage = chunks.at(-1)?.usage ?? expect.fail("no usage");
    const wire = running.wireAs({ authorization: "Bearer operator-token" });
    const task = await wire.result("tasks/get", { id: chunks[0]?.id.slice("chatcmpl-".length) });
    // The first request got its part already.
    expect(usage.total_tokens).toBeLessThan(task.data.usage.total_tokens);
    expect(usage.total_tokens).toBeGreaterThan(0);
  });

  it("contains the schema of a form's answer, and why one does not fit", async () => {
    const schema = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };
    const form = { title: "Who?", description: "Please.", steps: [{ schema }] };
    const asked = await say(clientOf(), "form", `/call request_user_input ${JSON.stringify(form)}`);
    expect(contentOf(asked)).toMatch(/^Who\?\nPlease\.\nAnswer with JSON that fits: .*"integer"/);
    const again = await say(clientOf(), "form", "old enough");
    expect(again.id).toBe(asked.id);
    expect(contentOf(again)).toMatch(/\nWho\?\n/);
    expect(contentOf(await say(clientOf(), "form", '{"age":7}'))).toContain('{"age":7}');
  });

  it("takes an approval from the operator, and shows a federation caller nothing of it", async () => {
    const call = '/call deed {"text":"paint"}';
    const asked = await say(clientOf(), "deed", call);
    expect(contentOf(asked)).toBe('Do it?\nAbout to do paint\ndeed({"text":"paint"})\nAnswer yes to approve.');
    expect(contentOf(await say(clientOf(), "deed", "yes"))).toBe("deed returned: did paint");
    const peer = await say(clientOf("peer-token"), "deed", call);
    expect(contentOf(peer)).toBe("Waiting for the operator's approval.");
    const insists = await say(clientOf("peer-token"), "deed", "yes");
    expect([contentOf(insists), insists.id]).toEqual(["Waiting for the operator's approval.", peer.id]);
    expect((await streamed(clientOf("peer-token"), [user("yes")], { session_id: "deed" })).text).toBe(
      "Waiting for the operator's approval.",
    );
    expect(deeds).toEqual(["paint"]);
  });

  it("is not answered by a message of another surface's running conversation", async () => {
    const wire = running.wireAs({ authorization: "Bearer operator-token" });
    const parked = await wire.say('/call ask_human {"question":"On A2A?"}', { contextId: "both" });
    expect(contentOf(await say(clientOf(), "both", "/say unrelated"))).toBe("unrelated");
    expect(await wire.result("tasks/get", { id: parked.id })).toMatchObject({ status: { state: "input-required" } });
  });
});

describe("errors", () => {
  const create = (client: OpenAI, more: Json = {}, text = "hi") =>
    client.chat.completions.create({ model: "sam", messages: [user(text)], ...more });

  it("name what is wrong with the credential", async () => {
    const error = await thrown(create(clientOf("wrong")));
    expect(error).toMatchObject({ status: 401, type: "authentication_error" });
    expect(error.message).toMatch(/Authorization: Bearer/);
  });

  it("of the provider keep their meaning: 429 with Retry-After, other failures 502", async () => {
    gateway.answer(errorReply(429, "slow down", { "retry-after": "7" }));
    const limited = await thrown(create(clientOf(), { model: "gw:x" }));
    expect(limited).toMatchObject({ status: 429, code: "rate_limit_exceeded", type: "rate_limit_error" });
    expect(limited.headers?.get("retry-after")).toBe("7");
    const inStream = await thrown(create(clientOf(), { model: "gw:x", stream: true }));
    expect(inStream).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    gateway.answer(errorReply(500, "oops"));
    // The client would repeat it; the service has tried often enough, and tools may have run.
    const before = gateway.requests.length;
    const failed = await thrown(create(clientOf("operator-token", 3), { model: "gw:x" }));
    expect(failed).toMatchObject({ status: 502, type: "upstream_error", message: expect.stringContaining("oops") });
    expect(gateway.requests.length).toBe(before + 1);
  });

  it("name an unknown model, whether the service or the gateway rejects it", async () => {
    gateway.answer(errorReply(404, "The model `nope` does not exist"));
    for (const model of ["nope", "gw:nope", "scripted:"]) {
      expect(await thrown(create(clientOf(), { model }))).toMatchObject({
        status: 400,
        code: "model_not_found",
        param: "model",
      });
    }
  });

  it("that come after text are an event of the stream", async () => {
    const stream = (await create(
      clientOf(),
      { stream: true },
      "/say Once\n/wait 60\n/fail 500",
    )) as never as AsyncIterable<OpenAI.ChatCompletionChunk>;
    let text = "";
    const error = await thrown(
      (async () => {
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
      })(),
    );
    expect(text).toBe("Once");
    expect(error).toMatchObject({ type: "upstream_error", code: "model_upstream" });
  });

  it("name the field that is not served", async () => {
    for (const [param, value] of Object.entries({ n: 2, tool_choice: "required", function_call: { name: "f" } })) {
      const error = await thrown(create(clientOf(), { [param]: value }));
      expect(error).toMatchObject({ status: 400, param, code: "unsupported_parameter" });
    }
  });
});
