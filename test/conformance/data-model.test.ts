/** The shape of all responses: 0.3 by its JSON schema, 1.0 by its data model. */
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import type { AnyTool } from "../../packages/agent-core/src/index.ts";
import { misfits03 } from "./shapes-0-3.ts";
import { misfits10 } from "./shapes-1-0.ts";
import { type Json, type Speaker, speakersTo, stateOf, textOf } from "./speaker.ts";

/** A tool that a person has to approve. */
const deed: AnyTool = {
  name: "deed",
  description: "Does something that cannot be undone.",
  input: v.object({ text: v.string() }),
  effect: "effect",
  approval: () => ({ title: "Do it?", detail: "About to do it" }),
  run: () => "did it",
};
const FORM = JSON.stringify({
  title: "Who?",
  description: "Please.",
  steps: [{ schema: { type: "object", properties: { name: { type: "string" } } } }],
});
const COMPONENT = JSON.stringify({ component: "table", title: "Numbers", props: { columns: ["a"], rows: [[1]] } });

/** What a task can come to, and the script that brings it there. */
const scripts = [
  ["completed after a tool", '/say One.\n/call calculator {"expression":"6*7"}\n/then\n/say Two.'],
  ["completed with a component", `/call show_component ${COMPONENT}\n/then\n/say Look.`],
  ["completed without an answer", "/think hm"],
  ["failed by its model", "/fail 400"],
  ["input-required by a question", '/call ask_human {"question":"Which?"}'],
  ["input-required by a form", `/call request_user_input ${FORM}`],
  ["input-required by an approval", '/call deed {"text":"it"}'],
] as const;

const running = await startTestService({ tools: [deed] });
afterAll(() => running.stop());
const callers = speakersTo(running.url);
const began = Date.now();

/** Every time in a value. */
function timesIn(value: unknown): readonly string[] {
  return [...JSON.stringify(value).matchAll(/"timestamp":"([^"]+)"/g)].map(([, time]) => time!);
}

function misfitsOf(caller: Speaker, what: "Task" | "card", value: unknown): readonly string[] {
  if (caller.version === "0.3") return misfits03(what === "card" ? "AgentCard" : what, value);
  return misfits10(what === "card" ? "card" : "task", value);
}

describe.each(callers)("the data of $version over $binding", (caller) => {
  it.each(scripts)(
    "of a task that is %s fits: its Task, its frames, what reads them [R10-5.5-1, R10-5.5-2, R10-5.6.1-1, R10-5.6.1-2, R10-5.6.1-3, R10-5.6.1-4, R10-5.7-1, R10-5.7-3, R03-3.2.3-6, R03-6.5-1, R03-11.1.5-2]",
    async (name, text) => {
      const frames = await caller.read("stream", caller.params({ text }));
      expect(name.split(" ")).toContain(stateOf(frames.at(-1)!.value));
      for (const { envelope, kind, value } of frames) {
        if (caller.version === "1.0") {
          expect(misfits10("streamResponse", caller.binding === "JSON-RPC" ? envelope.result : envelope)).toEqual([]);
        } else {
          const definition = {
            task: "Task",
            statusUpdate: "TaskStatusUpdateEvent",
            artifactUpdate: "TaskArtifactUpdateEvent",
          };
          expect(misfits03(definition[kind as keyof typeof definition], value)).toEqual([]);
          if (caller.binding === "JSON-RPC") expect(misfits03("SendStreamingMessageResponse", envelope)).toEqual([]);
        }
      }
      const sent = await caller.say({ text });
      expect(misfitsOf(caller, "Task", sent.result)).toEqual([]);
      if (caller.version === "1.0") {
        expect(misfits10("sendResponse", caller.binding === "JSON-RPC" ? sent.body.result : sent.body)).toEqual([]);
      } else if (caller.binding === "JSON-RPC") {
        expect(misfits03("SendMessageResponse", sent.body)).toEqual([]);
        const got = await caller.ask("get", { id: sent.result.id });
        expect(misfits03("GetTaskResponse", got.body)).toEqual([]);
      }
      const times = [...timesIn(sent.result), ...frames.flatMap(({ value }) => timesIn(value))];
      expect(times.length).toBeGreaterThan(2);
      for (const time of times) {
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Date.parse(time)).toBeGreaterThanOrEqual(began);
        expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
      }
    },
  );

  it("of its own messages is returned as it was sent, as UTF-8 [R10-14.1.1-1, R10-4-1, R03-6.5-1]", async () => {
    const data = { list: [1, null, "zwei"], nested: { schlüssel: true } };
    const raw = Buffer.from("a,b\n1,2").toString("base64");
    const text = "/say Grüße 😀 \u2028!";
    const parts: readonly Json[] =
      caller.version === "0.3"
        ? [
            { kind: "text", text },
            { kind: "data", data },
            { kind: "file", file: { bytes: raw, name: "t.csv", mimeType: "text/csv" } },
          ]
        : [{ text }, { data }, { raw, filename: "t.csv", mediaType: "text/csv" }];
    const response = await fetch(caller.request("send", caller.params({ parts })));
    const body = new TextDecoder("utf-8", { fatal: true }).decode(await response.arrayBuffer());
    const { result = JSON.parse(body) } = JSON.parse(body);
    const task = result.task ?? result;
    expect(task.history[0].parts).toMatchObject(parts);
    expect(textOf(task)).toContain("Grüße 😀 \u2028!");
    expect(misfitsOf(caller, "Task", task)).toEqual([]);
  });

  it("names its fields in camelCase, in extensions too; 0.3's data counts tokens by its own names [R10-5.5-1, DEV-task-data]", async () => {
    const { body, result } = await caller.say({ text: '/call calculator {"expression":"6*7"}' });
    const names = [...JSON.stringify(body).matchAll(/"(\w+)":/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(20);
    const tokens = names.filter((name) => name.includes("_"));
    expect(tokens).toEqual(caller.version === "0.3" ? ["input_tokens", "output_tokens", "total_tokens"] : []);
    const { usage, ...cost } = result.metadata["urn:agent-service:a2a:ext:cost-v1"];
    expect(Object.keys(usage).sort()).toEqual([
      "cacheCreationInputTokens",
      "cacheReadInputTokens",
      "inputTokens",
      "outputTokens",
      "totalTokens",
    ]);
    expect(cost).toEqual({ durationMs: expect.any(Number), success: true });
    if (caller.version === "0.3") expect(result.data.usage.total_tokens).toBe(usage.totalTokens);
  });

  it("holds nothing of the other version [R10-3.6.2-1, R10-5.5-2]", async () => {
    const { result: task } = await caller.say({ text: '/call ask_human {"question":"Which?"}' });
    const frames = await caller.read("stream", caller.params({ text: "This", message: { taskId: task.id } }));
    const text = JSON.stringify([task, frames.map(({ value }) => value)]);
    if (caller.version === "1.0")
      expect(text).not.toMatch(/"(?:kind":"(?:task|message|text|data|status-update)|final|mimeType)"/);
    else expect(text).not.toMatch(/TASK_STATE_|ROLE_|"mediaType"/);
  });

  it("shows a component as an artifact beside the answer [DEV-components]", async () => {
    const { result: task } = await caller.say({ text: `/call show_component ${COMPONENT}\n/then\n/say Look.` });
    expect(task.artifacts).toHaveLength(2);
    const [answer, shown] = task.artifacts;
    expect([textOf(answer), shown.name, shown.parts[0].data.component]).toEqual(["Look.", "Numbers", "table"]);
  });
});

describe("what 0.3 has beside its schema", () => {
  const [rpc] = callers;

  it("is usage and duration in a Task, and the type on a data part [DEV-task-data]", async () => {
    const { result: task } = await rpc!.say({ text: '/call ask_human {"question":"Which?"}' });
    const count = expect.any(Number);
    expect(task.data).toEqual({
      usage: { input_tokens: count, output_tokens: count, total_tokens: count },
      durationMs: count,
    });
    const mimeType = "application/vnd.agent-service.hitl-v1+json";
    expect(task.status.message.parts[1]).toMatchObject({ kind: "data", mimeType, metadata: { mimeType } });
  });

  it("is the short form of a message: no kinds, no id [DEV-short-message]", async () => {
    const { result: task } = await rpc!.ask("send", { message: { role: "user", parts: [{ text: "/say short" }] } });
    expect([textOf(task), task.history[0].messageId]).toEqual(["short", expect.stringMatching(/./)]);
    const named = { message: { kind: "message", role: "user", parts: [{ kind: "text", text: "x" }] } };
    expect((await rpc!.ask("send", named)).error).toMatchObject({ code: -32602 });
  });
});
