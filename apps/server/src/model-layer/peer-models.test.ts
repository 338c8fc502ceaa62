/** Which models a peer may name (B64 `a2a.allowed_models`), over A2A and /v1. */
import { type LocalGateway, localGateway, textReply } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let gateway: LocalGateway;
let running: TestService;
const config = (allowed: string): string => `
providers:
  - { id: gw, base_url: "${gateway.baseUrl}" }
  - { id: dear, base_url: "${gateway.baseUrl}" }
model: { name: "dear:lead", favorites: ["small-1", "dear:large"] }
auth: { token: operator-token, federation_token: peer-token }
${allowed}
`;
beforeAll(async () => {
  gateway = await localGateway(textReply("ok"));
  running = await startTestService({ config: config("a2a: { allowed_models: [small-*, 'qwen3:*'] }") });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

const bearer = (who: "peer" | "operator") => ({ authorization: `Bearer ${who}-token` });

/** What an A2A caller is answered that names a model: the task's state, or the error's code. */
async function overA2A(who: "peer" | "operator", model: string): Promise<string> {
  const params = { message: { role: "user", parts: [{ text: "hi" }] }, metadata: { model } };
  const { body: answer } = await running.wireAs(bearer(who)).answer("message/send", params);
  return answer.result?.status.state ?? String(answer.error.code);
}

async function overV1(who: "peer" | "operator", model: string): Promise<string> {
  const response = await fetch(`${running.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...bearer(who) },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hi" }] }),
  });
  const body = (await response.json()) as Json;
  return body.error?.code ?? body.choices[0].message.content;
}

it.each(["small-1", "gw:small-1", "qwen3:8b", "dear:lead"])("%s is open to a peer", async (model) => {
  expect([await overA2A("peer", model), await overV1("peer", model)]).toEqual(["completed", "ok"]);
});

it.each(["large", "gw:large", "dear:large", "dear:small-1", "not-small-1"])(
  "%s is the operator's alone",
  async (model) => {
    const asked = gateway.requests.length;
    expect([await overA2A("peer", model), await overV1("peer", model)]).toEqual(["-32602", "model_not_allowed"]);
    expect(gateway.requests).toHaveLength(asked);
    expect([await overA2A("operator", model), await overV1("operator", model)]).toEqual(["completed", "ok"]);
  },
);

it("lists to a peer what it may name", async () => {
  const listed = async (who: "peer" | "operator") => {
    const list = (await (await fetch(`${running.url}/v1/models`, { headers: bearer(who) })).json()) as Json;
    return list.data.map(({ id }: Json) => id);
  };
  expect(await listed("operator")).toEqual(["protoagent", "small-1", "dear:large"]);
  expect(await listed("peer")).toEqual(["protoagent", "small-1"]);
});

it("leaves a peer any model by default, and none but the lead where the list is empty", async () => {
  running.folders.configure(config(""));
  expect(running.live.reload().ok).toBe(true);
  expect(await overV1("peer", "dear:large")).toBe("ok");
  running.folders.configure(config("a2a: { allowed_models: [] }"));
  expect(running.live.reload().ok).toBe(true);
  expect([await overV1("peer", "small-1"), await overV1("peer", "dear:lead")]).toEqual(["model_not_allowed", "ok"]);
  expect(await overV1("peer", "protoagent")).toBe("ok");
});

it("keeps what ran where the list cannot be read (S8)", () => {
  running.folders.configure(config("a2a: { allowed_models: 7 }"));
  expect(running.live.reload().ok).toBe(false);
});
