/** Questions, forms, approvals and components (B15, A13). */
import type { AnyTool } from "@agent-service/agent-core/host";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, temporaryFolders, textOf, textParams, type Wire } from "../../testing/index.ts";
import { startServiceProcess } from "../../testing/service-process.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const HITL = "application/vnd.agent-service.hitl-v1+json";

/** A tool with an effect that a person has to approve. */
function deedTool(deeds: string[]): AnyTool {
  return {
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
}

const CONFIG = `
model: { name: "scripted:demo" }
auth: { token: operator-token, federation_token: peer-token }
`;

const deeds: string[] = [];
let running: TestService;
let operator: Wire;
let peer: Wire;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG, tools: [deedTool(deeds)] });
  operator = running.wireAs({ authorization: "Bearer operator-token" });
  peer = running.wireAs({ authorization: "Bearer peer-token" });
});
afterAll(() => running.stop());

/** The typed part of a parked task's question. */
function prompt(task: Json): Json {
  expect(task.status.state).toBe("input-required");
  const [text, part] = task.status.message.parts;
  expect(text).toMatchObject({ kind: "text", text: expect.any(String) });
  expect(part).toMatchObject({ kind: "data", mimeType: HITL, metadata: { mimeType: HITL } });
  return part.data;
}

const reply = (task: Json, parts: readonly Json[], message: Json = {}): Json => ({
  message: { role: "user", parts, taskId: task.id, contextId: task.contextId, ...message },
});

describe("ask_human (A7, A9, A13)", () => {
  it("parks with the question in a final frame, and a reply continues the same task", async () => {
    const script = '/call ask_human {"question":"Which colour?"}';
    const stream = await operator.stream("message/stream", textParams(script));
    const events = await stream.rest();
    const last = events.at(-1)?.frame as Json;
    expect(last).toMatchObject({ kind: "status-update", final: true });
    expect(prompt(last)).toEqual({ kind: "question", promptId: expect.any(String), question: "Which colour?" });

    const parked = await operator.result("tasks/get", { id: last.taskId });
    expect(prompt(parked)).toEqual(prompt(last));
    const again = await (await operator.stream("tasks/resubscribe", { id: last.taskId })).rest();
    expect(again.map(({ frame }) => frame)).toMatchObject([{ kind: "task" }, { final: true, status: last.status }]);

    const answered = await (await operator.stream("message/stream", reply(parked, [{ text: "Green" }]))).rest();
    expect(answered[0]?.frame).toMatchObject({ kind: "task", id: parked.id, status: { state: "working" } });
    expect(answered[0]?.id).toBeGreaterThan(events.at(-1)?.id ?? 0);
    expect(answered.at(-1)?.frame).toMatchObject({ final: true, status: { state: "completed" } });
    const done = await operator.result("tasks/get", { id: parked.id });
    expect(textOf(done)).toBe("ask_human returned: Green");
    expect(done.history.map((one: Json) => one.role)).toEqual(["user", "agent", "user"]);
  });

  it("takes the reply without a context, and as a data part that names the prompt; twice is -32002", async () => {
    const parked = await operator.say('/call ask_human {"question":"Q?"}');
    const { promptId } = prompt(parked);
    const named = reply(parked, [{ kind: "data", data: { promptId, answer: "named" } }], { contextId: undefined });
    expect(textOf(await operator.result("message/send", named))).toBe("ask_human returned: named");
    expect(await operator.error("message/send", named)).toMatchObject({ code: -32002 });
    const plain = await operator.result("message/send", reply(parked, [{ text: "/say a new task" }]));
    expect(plain.id).not.toBe(parked.id);
    expect([plain.contextId, textOf(plain)]).toEqual([parked.contextId, "a new task"]);
  });

  it("refuses a reply under another context (A4)", async () => {
    const parked = await operator.say('/call ask_human {"question":"Q?"}');
    const error = await operator.error("message/send", reply(parked, [{ text: "x" }], { contextId: "another" }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("contextId") });
  });

  it("asks one at a time, in call order, when several calls wait", async () => {
    const script = '/call ask_human {"question":"First?"}\n/call ask_human {"question":"Second?"}';
    const first = await operator.say(script);
    expect(prompt(first).question).toBe("First?");
    const second = await operator.result("message/send", reply(first, [{ text: "1" }]));
    expect(prompt(second).question).toBe("Second?");
    const done = await operator.result("message/send", reply(first, [{ text: "2" }]));
    expect(textOf(done)).toBe("ask_human returned: 1\nask_human returned: 2");
  });

  it("leaves its context free meanwhile (A9)", async () => {
    const parked = await operator.say('/call ask_human {"question":"Q?"}');
    const meanwhile = await operator.say("/say not blocked", { contextId: parked.contextId });
    expect(textOf(meanwhile)).toBe("not blocked");
    expect((await operator.result("message/send", reply(parked, [{ text: "A" }]))).status.state).toBe("completed");
  });
});

describe("request_user_input (A13)", () => {
  const step = {
    title: "You",
    schema: { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } }, required: ["name"] },
  };
  const ask = `/call request_user_input ${JSON.stringify({ title: "Who?", description: "Please.", steps: [step] })}`;

  it("shows the form and takes an answer that fits", async () => {
    const parked = await operator.say(ask);
    expect(prompt(parked)).toMatchObject({ kind: "form", title: "Who?", description: "Please.", steps: [step] });
    const answer = { kind: "data", data: { promptId: prompt(parked).promptId, answer: { name: "Ann", age: 3 } } };
    const done = await operator.result("message/send", reply(parked, [answer]));
    expect(textOf(done)).toBe('request_user_input returned: {"name":"Ann","age":3}');
  });

  it("asks again, with the reason, when the answer does not fit; the task stays parked", async () => {
    const parked = await operator.say(ask);
    const { promptId } = prompt(parked);
    const wrong = { kind: "data", data: { promptId, answer: { name: "Ann", age: "three" } } };
    const events = await (await operator.stream("message/stream", reply(parked, [wrong]))).rest();
    const last = events.at(-1)?.frame as Json;
    expect(last).toMatchObject({ final: true });
    expect(prompt(last)).toMatchObject({ kind: "form", promptId });
    expect(last.status.message.parts[0].text).toContain("age");
    expect((await operator.result("tasks/get", { id: parked.id })).status.message.parts[0].text).toContain("age");
    const done = await operator.result("message/send", reply(parked, [{ text: '{"name":"Ann"}' }]));
    expect(done.status.state).toBe("completed");
  });

  it("is declined by operator and peer, with a note for the model, in both versions", async () => {
    for (const caller of [operator, peer]) {
      const parked = await caller.say(ask);
      const data = { promptId: prompt(parked).promptId, decline: true, note: "not today" };
      const done = await caller.result("message/send", reply(parked, [{ kind: "data", data }]));
      expect(textOf(done)).toBe("request_user_input returned: declined\nThey say: not today");
    }
    const parked = await operator.say(ask);
    const message = { messageId: "decline", role: "ROLE_USER", taskId: parked.id, contextId: parked.contextId };
    const newer = running.wireAs({ authorization: "Bearer operator-token", "a2a-version": "1.0" });
    const data = { promptId: prompt(parked).promptId, decline: true };
    const { task } = await newer.result("SendMessage", { message: { ...message, parts: [{ data }] } });
    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    expect(JSON.stringify(task)).toContain("request_user_input returned: declined");
  });
});

describe("show_component", () => {
  it("travels as a typed data part of an artifact of its own, in the stream and in the task [DEV-components]", async () => {
    const args = { component: "table", props: { columns: ["a"], rows: [[1]] }, title: "Numbers" };
    const stream = await operator.stream("message/stream", textParams(`/call show_component ${JSON.stringify(args)}`));
    const events = await stream.rest();
    const shown = events.map(({ frame }) => frame).find((frame) => frame.artifact?.name === "Numbers") as Json;
    const mimeType = "application/vnd.agent-service.component-v1+json";
    expect(shown.artifact.parts).toMatchObject([{ kind: "data", mimeType, metadata: { mimeType }, data: args }]);
    const task = await operator.result("tasks/get", { id: shown.taskId });
    expect(task.artifacts).toContainEqual(shown.artifact);
  });
});

describe("approvals (A13)", () => {
  const ask = '/call deed {"text":"it"}';

  it("run the call once when the operator approves, and return the refusal to the model when not", async () => {
    const before = deeds.length;
    const parked = await operator.say(ask);
    expect(prompt(parked)).toEqual({
      kind: "approval",
      promptId: expect.any(String),
      title: "Do it?",
      detail: "About to do it",
      tool: "deed",
      args: { text: "it" },
    });
    expect(deeds.length).toBe(before);
    const done = await operator.result("message/send", reply(parked, [{ text: "Yes!" }]));
    expect([textOf(done), deeds.length]).toEqual(["deed returned: did it", before + 1]);

    const declined = await operator.result("message/send", reply(await operator.say(ask), [{ text: "better not" }]));
    expect(textOf(declined)).toMatch(/^deed returned: A person declined/);
    expect(deeds.length).toBe(before + 1);
  });

  it("are not a federation caller's to give, nor are the arguments its to see; the operator's are [DEV-approvals]", async () => {
    const before = deeds.length;
    const parked = await peer.say(ask);
    expect(parked.status.state).toBe("input-required");
    expect(prompt(parked)).toMatchObject({ kind: "approval", tool: "deed", args: {}, detail: "" });
    expect(JSON.stringify(parked)).not.toContain("About to do it");
    const still = await peer.result("message/send", reply(parked, [{ text: "approve" }]));
    expect([still.status.state, still.id, deeds.length]).toEqual(["input-required", parked.id, before]);
    expect(JSON.stringify(still)).not.toMatch(/About to do it/);
    expect(prompt(await operator.result("tasks/get", { id: parked.id })).args).toEqual({ text: "it" });
    const done = await operator.result("message/send", reply(parked, [{ text: "approve" }]));
    expect([done.status.state, deeds.length]).toEqual(["completed", before + 1]);
    expect(textOf(await peer.result("tasks/get", { id: parked.id }))).toBe("deed returned: did it");
  });

  it("keep the arguments from a federation caller's streams as well, while they wait, when they ran and when they did not", async () => {
    for (const decision of ["approve", "decline"]) {
      const opened = await peer.stream("message/stream", textParams(ask));
      const { taskId: id, contextId } = (await opened.rest()).at(-1)!.frame;
      await operator.result("message/send", reply({ id, contextId }, [{ text: decision }]));
      const calls = async (wire: Wire) =>
        (await (await wire.stream("tasks/resubscribe", { id, metadata: { after: 1 } })).rest())
          .flatMap(({ frame }) => frame.metadata?.["urn:agent-service:a2a:ext:tool-call-v1"] ?? [])
          .map(({ name, phase, args }: Json) => [name, phase, args]);
      // A declined call never starts.
      const started = (args?: string) => (decision === "approve" ? [["deed", "started", args]] : []);
      const end = ["deed", decision === "approve" ? "completed" : "failed", undefined];
      expect(await calls(operator)).toEqual([...started('{"text":"it"}'), end]);
      expect(await calls(peer)).toEqual([...started(), end]);
    }
  });

  it("leave a federation caller its own questions", async () => {
    const parked = await peer.say('/call ask_human {"question":"Q?"}');
    expect(textOf(await peer.result("message/send", reply(parked, [{ text: "A" }])))).toBe("ask_human returned: A");
  });
});

describe("two classes of callers (A16)", () => {
  it("a federation caller never sees the operator's tasks: -32001 for every method [R10-13.1-6, R10-13.1-7]", async () => {
    const { id, contextId } = await operator.say("/say secret");
    for (const method of ["tasks/get", "tasks/cancel", "tasks/resubscribe"])
      expect(await peer.error(method, { id })).toMatchObject({ code: -32001 });
    const joined = await peer.say("/say mine", { taskId: id });
    expect(joined.id).not.toBe(id);
    expect(joined.contextId).not.toBe(contextId);
  });

  it("keeps their idempotency keys apart (A15)", async () => {
    const call = { headers: { "idempotency-key": "one-key" } };
    const mine = await operator.result("message/send", textParams("/say same"), call);
    const theirs = await peer.result("message/send", textParams("/say same"), call);
    expect(theirs.id).not.toBe(mine.id);
    expect((await peer.result("message/send", textParams("/say same"), call)).id).toBe(theirs.id);
  });

  it("gives it a context of its own under the operator's name, while the operator sees all", async () => {
    const parked = await operator.say('/call ask_human {"question":"Q?"}', { contextId: "shared-name" });
    const theirs = await peer.say("/wait 40\n/say theirs", { contextId: "shared-name" });
    expect([theirs.status.state, textOf(theirs)]).toEqual(["completed", "theirs"]);
    expect(textOf(await operator.result("tasks/get", { id: theirs.id }))).toBe("theirs");
    expect((await operator.result("tasks/get", { id: parked.id })).status.state).toBe("input-required");
  });
});

describe("a parked task and a killed process (A18)", () => {
  it("with on_restart resume: the question outlives a SIGKILL and the reply continues the task", async () => {
    const folders = temporaryFolders('model: { name: "scripted:demo" }\ncheckpoint: { on_restart: resume }\n');
    let parked: Json;
    {
      await using first = startServiceProcess({ folders });
      parked = await (await first.wire()).say('/call ask_human {"question":"Still there?"}\n/then\n/say Good.');
      expect(prompt(parked).question).toBe("Still there?");
    }
    await using second = startServiceProcess({ folders });
    const wire = await second.wire();
    expect(await wire.result("tasks/get", { id: parked.id })).toMatchObject({ status: parked.status });
    const done = await wire.result("message/send", reply(parked, [{ text: "yes" }]));
    expect([done.id, done.status.state, textOf(done)]).toEqual([parked.id, "completed", "Good."]);
    second.signal("SIGKILL");
    await second.ended;
    folders.remove();
  });

  it("by default: it fails, with the message that a restart interrupted it, and a reply starts a new task", async () => {
    const folders = temporaryFolders('model: { name: "scripted:demo" }\n');
    let parked: Json;
    {
      await using first = startServiceProcess({ folders });
      parked = await (await first.wire()).say('/call ask_human {"question":"Still there?"}');
    }
    await using second = startServiceProcess({ folders });
    const wire = await second.wire();
    const failed = await wire.result("tasks/get", { id: parked.id });
    expect(failed).toMatchObject({ status: { state: "failed" } });
    expect(failed.status.message.parts[0].text).toMatch(/restart/);
    const fresh = await wire.result("message/send", reply(parked, [{ text: "/say new" }]));
    expect([fresh.id === parked.id, fresh.contextId]).toEqual([false, parked.contextId]);
    second.signal("SIGKILL");
    await second.ended;
    folders.remove();
  });
});
