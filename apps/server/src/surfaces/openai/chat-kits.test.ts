/** Kits that people build chat programs with, against a running service (V1). */
import { type LocalGateway, localGateway, textReply } from "@agent-service/agent-core/testing";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, Output, streamText, tool } from "ai";
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let gateway: LocalGateway;
let running: TestService;
beforeAll(async () => {
  gateway = await localGateway(textReply("ok"));
  running = await startTestService({
    env: { AGENT_NAME: "sam" },
    config: `
providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]
model: { name: "gw:m", max_retries: 0, max_tokens: 1000 }
auth: { token: operator-token }
prompt_cache: { enabled: false }
`,
  });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

const WEATHER = z.object({ city: z.string(), degrees: z.number() });
const ROME = { city: "Rome", degrees: 21 };
/** The first answer does not fit, the second does (A17). */
const answersWithRome = () => {
  const first = gateway.requests.length;
  gateway.answer((_, count) => textReply(count === first + 1 ? "Mild." : JSON.stringify(ROME)));
};

/** What the model was sent for the turn that `ask` makes. */
async function sentFor(ask: () => Promise<unknown>): Promise<Json> {
  const count = gateway.requests.length;
  await ask();
  return (await gateway.untilRequest(count + 1)).body as Json;
}

describe("the openai client", () => {
  const client = () => new OpenAI({ apiKey: "operator-token", baseURL: `${running.url}/v1`, maxRetries: 0 });
  const messages = [{ role: "user", content: "hi" }] as const;
  const ask = (more: Json = {}) =>
    client().chat.completions.create({
      model: "sam",
      messages: [...messages],
      ...more,
    } as never) as Promise<OpenAI.ChatCompletion>;

  it("parses an answer by a zod schema, whole and streamed", async () => {
    const asked = { model: "sam", messages: [...messages], response_format: zodResponseFormat(WEATHER, "weather") };
    answersWithRome();
    const done = await client().chat.completions.parse(asked);
    expect(done.choices[0]?.message.parsed).toEqual(ROME);
    answersWithRome();
    const streamed = await client().chat.completions.stream(asked).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(ROME);
  });

  it("gets any JSON object where it requests no schema, and 502 where the model makes none", async () => {
    gateway.answer(textReply('```json\n{"a":1}\n```'));
    const done = await ask({ response_format: { type: "json_object" } });
    expect(done.choices[0]?.message.content).toBe('{"a":1}');
    gateway.answer(textReply("[1]"));
    await expect(ask({ response_format: { type: "json_object" } })).rejects.toMatchObject({
      status: 502,
      code: "answer_does_not_fit",
    });
  });

  it("asks with its own sampling for one turn, within the agent's limit", async () => {
    gateway.answer(textReply("ok"));
    const sampling = {
      temperature: 1.5,
      top_p: 0.5,
      max_tokens: 7,
      max_completion_tokens: 9,
      seed: 42,
      reasoning_effort: "high",
    } as const;
    const sent = await sentFor(() => ask(sampling));
    expect(sent).toMatchObject({ temperature: 1.5, top_p: 0.5, max_tokens: 9, seed: 42, reasoning_effort: "high" });
    const next = await sentFor(() => ask({ max_tokens: 1_000_000 }));
    expect(next).toMatchObject({ temperature: 0.2, max_tokens: 1000 });
    expect(next).not.toHaveProperty("seed");
    expect(next).not.toHaveProperty("reasoning_effort");
  });

  it("reads nothing from a stop sequence on, whole and streamed, however the chunks are split", async () => {
    gateway.answer(textReply("one t", "wo TH", "REE ", "four"));
    const done = await ask({ stop: ["THREE", "nine"] });
    expect(done.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "one two " } });
    const stream = await client().chat.completions.create({
      model: "sam",
      messages: [...messages],
      stop: "THREE",
      stream: true,
    });
    let text = "";
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toBe("one two ");
    expect((await ask({ stop: "one" })).choices[0]).toMatchObject({ message: { content: "" } });
    expect((await ask({ stop: "four!" })).choices[0]).toMatchObject({ message: { content: "one two THREE four" } });
  });

  it("gets a header that names the ignored fields", async () => {
    gateway.answer(textReply("ok"));
    const tools = [{ type: "function", function: { name: "f", parameters: {} } }] as const;
    const { response } = await client()
      .chat.completions.create({ model: "sam", messages: [...messages], tools: [...tools], frequency_penalty: 1 })
      .withResponse();
    expect(response.headers.get("x-agent-ignored")).toBe("tools, frequency_penalty");
    const forced = { tools, tool_choice: { type: "function", function: { name: "f" } } };
    await expect(ask(forced)).rejects.toMatchObject({ status: 400, param: "tool_choice" });
  });
});

describe("LangChain", () => {
  const chat = () =>
    new ChatOpenAI({
      model: "sam",
      apiKey: "operator-token",
      maxRetries: 0,
      configuration: { baseURL: `${running.url}/v1` },
    });
  const weather = langchainTool(() => "rain", {
    name: "weather",
    description: "The weather.",
    schema: z.object({ city: z.string() }),
  });

  it("invokes, streams and counts tokens", async () => {
    gateway.answer(textReply("Hello", " there"));
    const answer = await chat().invoke("hi");
    expect(answer.text).toBe("Hello there");
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 10, output_tokens: 5, total_tokens: 15 });
    let text = "";
    for await (const chunk of await chat().stream("hi")) text += chunk.text;
    expect(text).toBe("Hello there");
  });

  it("answers with tools bound, and continues from a tool's result", async () => {
    gateway.answer(textReply("By myself."));
    const answer = await chat().bindTools([weather]).invoke("weather?");
    expect([answer.text, answer.tool_calls]).toEqual(["By myself.", []]);
    const call = { id: "c1", name: "weather", args: { city: "Rome" }, type: "tool_call" } as const;
    const { messages } = await sentFor(() =>
      chat()
        .bindTools([weather])
        .invoke([
          new HumanMessage("weather in Rome?"),
          new AIMessage({ content: "", tool_calls: [call] }),
          new ToolMessage({ tool_call_id: "c1", content: "rain" }),
        ]),
    );
    expect(messages.slice(1)).toEqual([
      { role: "user", content: "weather in Rome?" },
      { role: "user", content: 'The tool weather, called with {"city":"Rome"}, returned:\nrain' },
    ]);
  });

  it("continues an answer of its own", async () => {
    const { messages } = await sentFor(() => chat().invoke([new HumanMessage("count"), new AIMessage("one, two")]));
    expect(messages.slice(1).map(({ role }: Json) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[2].content).toBe("one, two");
  });

  it.each(["default", "jsonSchema", "jsonMode"] as const)("gives structured output (%s)", async (method) => {
    answersWithRome();
    const options = method === "default" ? {} : { method };
    const structured = chat().withStructuredOutput(WEATHER, { name: "weather", ...options });
    expect(await structured.invoke("weather in Rome, as JSON?")).toEqual(ROME);
  });
});

describe("the Vercel AI SDK", () => {
  const model = () =>
    createOpenAICompatible({
      name: "sam",
      apiKey: "operator-token",
      baseURL: `${running.url}/v1`,
      supportsStructuredOutputs: true,
      includeUsage: true,
    })("sam");
  const once = { maxRetries: 0 } as const;

  it("generates and streams text, with the usage", async () => {
    gateway.answer(textReply("Hello", " there"));
    const whole = await generateText({ model: model(), prompt: "hi", ...once });
    expect(whole).toMatchObject({ text: "Hello there", finishReason: "stop" });
    expect(whole.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    const stream = streamText({ model: model(), prompt: "hi", ...once });
    expect(await stream.text).toBe("Hello there");
    expect(await stream.usage).toMatchObject({ totalTokens: 15 });
  });

  it("answers with tools offered, without calling them", async () => {
    gateway.answer(textReply("By myself."));
    const weather = tool({
      inputSchema: z.object({ city: z.string() }),
      execute: (): string => expect.fail("it was called"),
    });
    const { text, toolCalls } = await generateText({ model: model(), prompt: "weather?", tools: { weather }, ...once });
    expect([text, toolCalls]).toEqual(["By myself.", []]);
  });

  it("gives structured output, whole and streamed", async () => {
    answersWithRome();
    const output = Output.object({ schema: WEATHER });
    expect((await generateText({ model: model(), prompt: "weather?", output, ...once })).output).toEqual(ROME);
    answersWithRome();
    expect(await streamText({ model: model(), prompt: "weather?", output, ...once }).output).toEqual(ROME);
  });

  it("gets the name of the refused field", async () => {
    const weather = tool({ inputSchema: z.object({}), execute: () => "" });
    const asked = { model: model(), prompt: "hi", tools: { weather }, toolChoice: "required", ...once } as const;
    await expect(generateText(asked)).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("tools of its own"),
    });
  });
});
