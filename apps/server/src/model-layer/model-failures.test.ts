/** The errors of a model that cannot be reached, for operators and for peers. */
import { errorReply, localGateway, textReply } from "@agent-service/agent-core/testing";
import { expect, test } from "vitest";
import type { Json } from "../testing/index.ts";
import { startTestService } from "../testing/test-service.ts";

const KEY = "only-a-key-4711";
const reasonOf = (task: Json): string => task.status.message.parts[0].text;

test("with only MODEL_API_KEY set, the error names connection, address, both sources and the command that changes them", async () => {
  await using running = await startTestService({
    config: "model: { max_retries: 0 }",
    env: { MODEL_API_KEY: KEY, A2A_AUTH_TOKEN: "operators", A2A_FEDERATION_TOKEN: "peers" },
  });
  const reason = reasonOf(await running.wireAs({ authorization: "Bearer operators" }).say("hello"));
  expect(reason).toMatch(/^gateway could not be reached/);
  expect(reason).toContain("address http://gateway:4000/v1 (the default)");
  expect(reason).toContain("its key (environment variable MODEL_API_KEY)");
  expect(reason).toContain("To change them: MODEL_API_BASE=<address> MODEL_API_KEY=<key> agent-service");
  expect(reason).not.toContain(KEY);
  // Where the operator's models are is not a peer's business.
  const peers = reasonOf(await running.wireAs({ authorization: "Bearer peers" }).say("hello"));
  expect(peers).toMatch(/^gateway could not be reached[^.]*$/);
});

test("a refused key is reported with its source; other failures are reported as they are", async () => {
  const gateway = await localGateway(errorReply(401, "who are you"));
  await using running = await startTestService({
    config: `providers: [{ id: gw, base_url: "${gateway.baseUrl}", api_key: ${KEY} }]\nmodel: { name: "gw:m", max_retries: 0 }`,
  });
  const refused = reasonOf(await running.wire.say("hello"));
  expect(refused).toContain("401: who are you (error). Connection gw, address");
  expect(refused).toContain(`its key (${running.live.settings.paths.configFile}:1)`);
  gateway.answer(errorReply(400, "bad temperature"));
  expect(reasonOf(await running.wire.say("hello"))).toMatch(/400: bad temperature \(error\)$/);
  await gateway.close();
});

test("the status names the connection whose key is refused, until that connection answers or the settings change", async () => {
  const refusing = await localGateway(errorReply(401, `${KEY} is no key of ours`));
  const other = await localGateway(textReply("ok"));
  const config = (key: string) => `
providers:
  - { id: other, base_url: "${other.baseUrl}" }
  - { id: gw, base_url: "${refusing.baseUrl}", api_key: ${key} }
model: { name: "other:m", max_retries: 0 }
`;
  await using running = await startTestService({ config: config(KEY) });
  const say = (model: string) => running.wire.say("hello", {}, { metadata: { model } });
  const reported = async (): Promise<Json> => {
    const status = (await (await fetch(`${running.url}/api/runtime/status`)).json()) as Json;
    return status.graph_auth_error;
  };
  const refused = { provider: "gw", message: expect.stringContaining("is no key of ours"), relogin: false };
  expect(await reported()).toBeNull();
  await say("gw:m");
  expect(await reported()).toEqual(refused);
  expect(JSON.stringify(await reported())).not.toContain(KEY);
  // The same model's name at another connection does not change this one's state.
  await say("other:m");
  expect(await reported()).toEqual(refused);
  refusing.answer(textReply("ok"));
  await say("gw:m");
  expect(await reported()).toBeNull();
  refusing.answer(errorReply(401, "still not"));
  await say("gw:m");
  expect(await reported()).toMatchObject({ provider: "gw" });
  running.folders.configure(config(`${KEY}-2`));
  expect(running.live.reload().ok).toBe(true);
  await running.wire.say("hello");
  expect(await reported()).toBeNull();
  await Promise.all([refusing.close(), other.close()]);
});
