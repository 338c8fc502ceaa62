/** The lines of decisions at DEBUG: each is there, and none has content. */
import type { TaskEvent } from "@agent-service/agent-core/host";
import { errorReply, localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import { expect, it } from "vitest";
import { textParams, webhookReceiver } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { logDecisions } from "./turn-decisions.ts";

/** In every text that goes in: of the caller, the model, its tools, an answer, an address, a secret. */
const SAID = "zebra";
const CONFIG = `
model: { name: "scripted:demo", max_inflight: 1, max_retries: 1 }
enforcement: { require_approval: [calculator], rate_limits: { current_time: { max: 1, window_seconds: 3600 } } }
routing: { fallback_models: ["scripted:demo"] }
middleware: { enforcement: true }
auth: { token: ${SAID}-operator-token }
`;

async function start(level: string) {
  const env = { LOG_FORMAT: "json", LOG_LEVEL: level };
  const service = await startTestService({ config: CONFIG, env });
  return { service, wire: service.wireAs({ authorization: `Bearer ${SAID}-operator-token` }) };
}

/** Every decision, with the marker in each text that a person or model writes. */
async function talk({ service, wire }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const contextId = `${SAID} session`;
  await wire.say(`/say ${SAID}-answer`, { contextId });
  await wire.say(`/call show_component {"kind": "text", "text": "${SAID}"}\n/call ${SAID}_tool {}`, { contextId });
  for (let i = 0; i < 2; i++) await wire.say("/call current_time {}", { contextId });
  await wire.say(`/call fetch_url {"url": "http://169.254.169.254/${SAID}"}`);
  await wire.say(`/call wait {"seconds": 1, "then": "/say ${SAID}-later"}`);
  const asked = await wire.say(`/call ask_human {"question": "${SAID}?"}`, { contextId });
  await wire.result("message/send", textParams(`${SAID}-reply`, { taskId: asked.id, contextId }));
  const approval = await wire.say('/call calculator {"expression": "6*7"}', { contextId: "approvals" });
  const listed = await fetch(`${service.url}/api/approvals`, {
    headers: { authorization: `Bearer ${SAID}-operator-token` },
  });
  const { approvals } = (await listed.json()) as { approvals: { id: string; task_id: string }[] };
  const prompt = approvals.find(({ task_id }) => task_id === approval.id)?.id;
  const decided = await fetch(`${service.url}/api/approvals/${prompt}`, {
    method: "POST",
    headers: { authorization: `Bearer ${SAID}-operator-token`, "content-type": "application/json" },
    body: JSON.stringify({ decision: "approve", note: `${SAID}-note` }),
  });
  expect(decided.status).toBe(200);
  await (await service.service.core.service.get(approval.id))?.settled();
  await wire.say(`/fail 400 ${SAID}`);
  const message = { messageId: `${SAID}-message`, contextId };
  const headers = { "idempotency-key": `${SAID}-key` };
  for (let i = 0; i < 2; i++) await wire.result("message/send", textParams(`/say ${SAID}`, message), { headers });
  const long = await wire.stream("message/stream", textParams(`/say ${SAID}\n/wait 60000`, { contextId }));
  const { frame } = await long.until(({ kind }) => kind === "artifact-update");
  const queued = await wire.stream("message/stream", textParams(`/say ${SAID}-queued`));
  await queued.next();
  const url = `http://10.0.0.1/${SAID}`;
  await wire.error("tasks/pushNotificationConfig/set", { taskId: frame.taskId, pushNotificationConfig: { url } });
  await wire.result("tasks/cancel", { id: frame.taskId });
  await queued.rest();
}

const DECISIONS = [
  "task accepted",
  "model chosen",
  "call ended",
  "call waits for a person",
  "person answered",
  "call runs unasked",
  "call forbidden",
  "outgoing request refused",
  "timer set",
  "model call failed",
  "conversation read",
  "request answered by the task its key stands for",
  "model call waits for a slot",
  "model call has its slot",
  "open tasks of the former process settled",
];

interface Line {
  readonly msg: string;
  readonly level: string;
  readonly [field: string]: unknown;
}

/** The lines at DEBUG of a service that has stopped; none of any level has the marker. */
function decisionsOf({ log }: TestService): readonly Line[] {
  expect(log.filter((line) => line.includes(SAID))).toEqual([]);
  return log.map((line) => JSON.parse(line) as Line).filter(({ level }) => level === "DEBUG");
}

it("writes a line at DEBUG for each decision, and in no line content or a secret", async () => {
  const started = await start("DEBUG");
  const { service } = started;
  await talk(started);
  await service.stop();
  const decided = new Set(decisionsOf(service).map(({ msg }) => msg));
  expect(DECISIONS.filter((one) => !decided.has(one))).toEqual([]);
});

it("writes one for a retry, a fallback, a guard, a summary and each webhook POST, without their content", async () => {
  const failures = [errorReply(500, SAID), errorReply(401, SAID)];
  const repeated = toolReply({ name: "calculator", args: { expression: "6*7" } });
  await using receiver = await webhookReceiver();
  const gateway = await localGateway(({ body }) => {
    const text = JSON.stringify(body);
    const rounds = text.split('"role":"tool"').length - 1;
    if (text.includes("breaks")) return failures.shift() ?? textReply(`${SAID}-answer`);
    // A summary is written without tools.
    const hasTools = text.includes('"name":"calculator"');
    return text.includes("repeats") && hasTools && rounds < 3 ? repeated : textReply(`${SAID}-answer`);
  });
  const config = `
providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]
model: { name: "gw:lead", max_retries: 1 }
routing: { fallback_models: ["gw:spare"] }
compaction: { enabled: true, trigger: "messages:10", keep_messages: 2 }
`;
  const env = { LOG_FORMAT: "json", LOG_LEVEL: "DEBUG", PUSH_NOTIFICATION_ALLOWED_CIDRS: "127.0.0.0/8" };
  const service = await startTestService({ config, env });
  try {
    await service.wire.say(`${SAID} breaks`);
    const contextId = "long";
    await service.wire.say(`${SAID} repeats`, { contextId });
    for (let turn = 0; turn < 4; turn++) await service.wire.say(`${SAID} ${turn}`, { contextId });
    const hook = { pushNotificationConfig: { url: `${receiver.url}/${SAID}`, token: SAID } };
    await service.wire.result("message/send", textParams(`${SAID} tells`, {}, { configuration: hook }));
    await receiver.until(({ state }) => state === "completed");
    // The receiver has a POST before the service has read its answer and decided.
    const decidedPosts = () => service.log.filter((line) => line.includes("webhook POST decided")).length;
    await expect.poll(decidedPosts).toBeGreaterThanOrEqual(receiver.posts.length);
  } finally {
    await service.stop();
    await gateway.close();
  }
  const lines = decisionsOf(service);
  const of = (text: string) => lines.filter(({ msg }) => msg === text);
  expect(of("model call retried")).toMatchObject([{ code: "model_upstream", wait_ms: expect.any(Number) }]);
  expect(of("another model takes over")).toMatchObject([{ from: "lead", to: "spare", code: "model_unauthorized" }]);
  expect(of("guard stepped in")).toMatchObject([{ guard: "repetition" }]);
  expect(of("conversation summarised")[0]).toMatchObject({ kept: expect.any(Number), chars: expect.any(Number) });
  expect(of("webhook POST decided")[0]).toMatchObject({ outcome: "delivered" });
});

it("writes one for what a conversation cannot be brought to quickly, with its numbers alone", () => {
  const prompt = { promptId: "p1", callId: "c1", reason: "approval", payload: { kind: "approval", title: SAID } };
  const events = [
    { kind: "context.cut", left: 7, kept: 20, outOfSight: 9 },
    { kind: "context.pruned", results: 3, chars: 4_000 },
    { kind: "task.resumed" },
    { kind: "prompt.rejected", prompt, reason: SAID },
    { kind: "prompt.withdrawn", promptId: "p1" },
    { kind: "guard.noted", guard: "images", text: SAID },
    { kind: "delegation.finished", call: "c1", task: "t2", state: "completed", models: [] },
    { kind: "text.delta", text: SAID },
  ] as unknown as readonly TaskEvent[];
  const written: unknown[] = [];
  const committed = events.map((event, index) => ({ seq: index + 1, at: 0, event }));
  logDecisions("t1", committed, (fields, decision) => written.push([decision, fields]));
  expect(written).toEqual([
    ["shown window cut", { task: "t1", left: 7, kept: 20, out_of_sight: 9 }],
    ["older results shortened", { task: "t1", results: 3, chars: 4_000 }],
    ["task goes on after a restart", { task: "t1" }],
    ["answer did not fit", { task: "t1", prompt: "p1" }],
    ["prompt withdrawn", { task: "t1", prompt: "p1" }],
    ["guard stepped in", { task: "t1", guard: "images" }],
    ["delegated task ended", { task: "t1", call: "c1", delegated: "t2", state: "completed" }],
  ]);
});
