/** Settings of the model as a started service uses them (B52 `model`): at the gateway, and by which caller has to wait. */
import { type LocalGateway, localGateway, manualClock, textReply } from "@agent-service/agent-core/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Json } from "../testing/index.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../testing/test-service.ts";

let gateway: LocalGateway;
/** What every call waits for at the gateway. */
let answered: PromiseWithResolvers<void>;
beforeEach(async () => {
  answered = Promise.withResolvers();
  gateway = await localGateway({ ...textReply("ok"), before: answered.promise });
});
let service: TestService;
afterEach(async () => {
  // A call that a failed test left at the gateway would keep the service from stopping.
  answered.resolve();
  await service.stop();
  await gateway.close();
});

async function start(model: string, options: TestServiceOptions = {}): Promise<void> {
  const auth = "auth: { token: operator-token, federation_token: peer-token }";
  const connection = `providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]`;
  const config = `${auth}\n${connection}\nmodel: { name: "gw:m", max_retries: 0, ${model} }\n`;
  service = await startTestService({ config, ...options });
}

const bearer = (who: "operator" | "peer") => ({ authorization: `Bearer ${who}-token` });
const say = (who: "operator" | "peer"): Promise<Json> => service.wireAs(bearer(who)).say("hello");

/** The connection's lane, once so many calls have come to it. */
async function laneOf(calls: number): Promise<Json> {
  let lane: Json | undefined;
  await expect
    .poll(async () => {
      const response = await fetch(`${service.url}/api/telemetry/llm-lanes`, { headers: bearer("operator") });
      [lane] = ((await response.json()) as Json).lanes;
      return (lane?.inflight ?? 0) + (lane?.queued ?? 0);
    })
    .toBe(calls);
  return lane!;
}

it("sends model.max_tokens with every call", async () => {
  await start("max_tokens: 77");
  answered.resolve();
  await say("operator");
  expect(gateway.requests.map(({ body }) => (body as Json).max_tokens)).toEqual([77]);
});

it("fails a call that waited for a slot for model.inflight_queue_timeout, and no sooner", async () => {
  const clock = manualClock();
  await start("max_inflight: 1, inflight_queue_timeout: 5", { clock });
  const first = say("operator");
  await gateway.untilRequest(1);
  const second = say("operator");
  expect(await laneOf(2)).toMatchObject({ inflight: 1, queued: 1 });
  await clock.advance(4_999);
  expect(await laneOf(2)).toMatchObject({ queued: 1 });
  await clock.advance(1);
  answered.resolve();
  expect((await first).status.state).toBe("completed");
  const { id, status } = await second;
  expect(status.state).toBe("failed");
  const failed = await service.service.core.service.get(id);
  expect(failed?.view.failure?.code).toBe("model_lane_timeout");
});

it("keeps model.inflight_interactive_reserve slots for callers that a person waits behind", async () => {
  await start("max_inflight: 3, inflight_interactive_reserve: 2");
  const peers = [say("peer"), say("peer")];
  expect(await laneOf(2)).toMatchObject({ inflight: 1, queued_by_priority: { default: 1 } });
  const operator = say("operator");
  expect(await laneOf(3)).toMatchObject({ inflight: 2, queued_by_priority: { default: 1, interactive: 0 } });
  answered.resolve();
  const ended = await Promise.all([...peers, operator]);
  expect(ended.map(({ status }) => status.state)).toEqual(["completed", "completed", "completed"]);
});
