import { afterEach, expect, it } from "vitest";
import { errorReply, textReply } from "../../testing/gateway-replies.ts";
import { type GatewayRequest, localGateway } from "../../testing/local-gateway.ts";
import type { ModelSettings } from "../model-port.ts";
import { compatGateway } from "./compat-gateway.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

interface Sent {
  readonly [parameter: string]: unknown;
}

/** Calls a model whose server refuses by `refusal`; what each of its requests held, and what its caller was told. */
async function asking(refusal: (sent: Sent) => string | undefined) {
  const server = await localGateway(({ body }: GatewayRequest) => {
    const why = refusal(body as Sent);
    return why === undefined ? textReply("Done.") : errorReply(400, why);
  });
  const model = compatGateway({ baseUrl: server.baseUrl });
  open.push(() => server.close().then(() => model.close()));
  const retried: unknown[] = [];
  return {
    retried,
    sent: () => server.requests.map(({ body }) => body as Sent),
    async ask(name: string, settings: ModelSettings): Promise<string> {
      const messages = [{ role: "user", content: [{ kind: "text", text: "?" }] }] as const;
      let text = "";
      const options = { signal: new AbortController().signal, onRetry: (failure: unknown) => retried.push(failure) };
      for await (const event of model.stream({ model: name, messages, tools: [], settings }, options))
        if (event.kind === "text") text += event.text;
      return text;
    },
  };
}

it("leaves out what a model refuses by name, says so, and does not send it to that model again", async () => {
  const { ask, sent, retried } = await asking((body) => {
    if (body.model === "plain") return undefined;
    if (body.max_tokens !== undefined)
      return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    if (body.temperature !== undefined)
      return "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.";
    return undefined;
  });
  const settings = { temperature: 0.2, maxTokens: 100, topP: 0.9 };
  expect(await ask("thinker", settings)).toBe("Done.");
  expect(retried).toHaveLength(2);
  expect(await ask("thinker", settings)).toBe("Done.");
  expect(await ask("plain", settings)).toBe("Done.");
  expect(sent()).toHaveLength(5);
  for (const index of [2, 3]) {
    expect(sent()[index]).toMatchObject({ max_completion_tokens: 100, top_p: 0.9 });
    expect(sent()[index]).not.toHaveProperty("temperature");
    expect(sent()[index]).not.toHaveProperty("max_tokens");
  }
  expect(sent()[4]).toMatchObject({ max_tokens: 100, temperature: 0.2 });
});

it("fails as before where the refusal is of a value, or of something else", async () => {
  for (const why of ["temperature must be below 1", "this tool is not supported"]) {
    const { ask, sent } = await asking(() => why);
    await expect(ask("m", { temperature: 1.5 })).rejects.toMatchObject({ code: "bad_request" });
    expect(sent()).toHaveLength(1);
  }
});
