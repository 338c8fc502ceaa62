/** The extension `reasoning-v1` (A14): for the operator, where the request activates it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, type StreamReader, textParams, type Wire } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const URI = "urn:agent-service:a2a:ext:reasoning-v1";
const MIME = "application/vnd.agent-service.reasoning-v1+json";
const SCRIPT = "/think Six times seven.\n/wait 50\n/say 42";

let running: TestService;
let operator: Wire;
let peer: Wire;
beforeAll(async () => {
  running = await startTestService({
    config: `
model: { name: "scripted:demo" }
auth: { token: operator-token, federation_token: peer-token }
`,
  });
  operator = running.wireAs({ authorization: "Bearer operator-token" });
  peer = running.wireAs({ authorization: "Bearer peer-token" });
});
afterAll(() => running.stop());

const activated = { headers: { "x-a2a-extensions": URI } };

async function framesOf(stream: StreamReader): Promise<Json[]> {
  return (await stream.rest()).map(({ frame }) => frame);
}

/** The reasoning in frames of 0.3, and the position of the first. */
function reasoningIn(frames: readonly Json[]): { text: string; at: number } {
  const isReasoning = (frame: Json): boolean => frame.status?.message?.extensions?.includes(URI) === true;
  const texts = frames.filter(isReasoning).map((frame) => {
    expect(frame).toMatchObject({ kind: "status-update", final: false, status: { state: "working" } });
    const [part] = frame.status.message.parts;
    expect(part).toMatchObject({ kind: "data", metadata: { mimeType: MIME } });
    return part.data.text as string;
  });
  return { text: texts.join(""), at: frames.findIndex(isReasoning) };
}

describe("reasoning in a stream", () => {
  it("is shown to an operator who activates it, before the answer, and again on resubscribing", async () => {
    const stream = await operator.stream("message/stream", textParams(SCRIPT), activated);
    const frames = await framesOf(stream);
    expect(stream.headers.get("x-a2a-extensions")).toBe(URI);
    const { text, at } = reasoningIn(frames);
    expect(text).toBe("Six times seven.");
    expect(at).toBeLessThan(frames.findIndex((frame) => frame.kind === "artifact-update"));
    const params = { id: frames[0]?.id, metadata: { after: 1 } };
    expect(reasoningIn(await framesOf(await operator.stream("tasks/resubscribe", params, activated))).text).toBe(text);
    expect(reasoningIn(await framesOf(await operator.stream("tasks/resubscribe", params))).text).toBe("");
  });

  it("is shown to no one else", async () => {
    const unasked = await framesOf(await operator.stream("message/stream", textParams(SCRIPT)));
    expect(reasoningIn(unasked)).toEqual({ text: "", at: -1 });
    const stranger = await framesOf(await peer.stream("message/stream", textParams(SCRIPT), activated));
    expect(JSON.stringify(stranger)).not.toContain('seven."');
    expect(reasoningIn(stranger)).toEqual({ text: "", at: -1 });
  });

  it("has its shape in 1.0", async () => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: SCRIPT }] };
    const headers = { "a2a-version": "1.0", "a2a-extensions": URI };
    const frames = await framesOf(await operator.stream("SendStreamingMessage", { message }, { headers }));
    const update = frames.find(({ statusUpdate }) => statusUpdate?.status.message?.extensions)?.statusUpdate;
    expect(update.status).toMatchObject({
      state: "TASK_STATE_WORKING",
      message: { extensions: [URI], parts: [{ data: { text: "Six times seven." }, mediaType: MIME }] },
    });
  });

  it("is no part of the task that is read", async () => {
    const task = await operator.say(SCRIPT);
    const read = await operator.result("tasks/get", { id: task.id }, activated);
    expect(JSON.stringify(read.artifacts) + JSON.stringify(read.status)).not.toContain("seven");
  });
});
