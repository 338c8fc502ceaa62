/** The lines of decisions at DEBUG: each is there, and none has content. */
import { expect, it } from "vitest";
import { textParams } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

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
    body: JSON.stringify({ decision: "approve", remember: true, note: `${SAID}-note` }),
  });
  expect(decided.status).toBe(200);
  await (await service.service.core.service.get(approval.id))?.settled();
  await wire.say('/call calculator {"expression": "6*7"}', { contextId: "approvals" });
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

it("writes a line at DEBUG for each decision, and in no line content or a secret", async () => {
  const started = await start("DEBUG");
  const { service } = started;
  await talk(started);
  await service.stop();
  const lines = service.log.map((line) => JSON.parse(line) as { readonly msg: string; readonly level: string });
  const decided = new Set(lines.filter(({ level }) => level === "DEBUG").map(({ msg }) => msg));
  expect(DECISIONS.filter((one) => !decided.has(one))).toEqual([]);
  expect(service.log.filter((line) => line.includes(SAID))).toEqual([]);
});
