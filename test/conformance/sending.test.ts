/** Messages and the tasks they become, in both versions and both bindings. */
import { afterAll, describe, expect, it } from "vitest";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { localGateway, textReply } from "../../packages/agent-core/src/testing/index.ts";
import { type Json, speakersTo, stateOf, textOf } from "./speaker.ts";

const gateway = await localGateway(textReply("ok"));
const running = await startTestService({
  config: `
providers:
  - { id: scripted, type: scripted }
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", api_key: key }
model: { name: "scripted:demo" }
`,
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

const callers = speakersTo(running.url);
const QUESTION = '/call ask_human {"question":"Which?"}\n/then\n/say Thanks.';

describe.each(callers)("a message in $version over $binding", (caller) => {
  const old = caller.version === "0.3";

  it("is answered when its task is over, with the result as an artifact [R10-3.1.1-1, R10-3.2.2-1, R10-3.2.2-2, R10-P:wait-1, R10-3.7-1, R10-3.7-2, R03-6.1-1, DEV-blocking-default]", async () => {
    const { status, result: task } = await caller.say({ text: "/wait 30\n/say Hi you" });
    expect([status, stateOf(task), textOf(task)]).toEqual([200, "completed", "Hi you"]);
    expect(task.status).not.toHaveProperty("message");
    expect((await caller.ask("get", { id: task.id })).result).toEqual(task);
  });

  it("is answered when its task needs a person [R10-3.2.2-1]", async () => {
    const { result: task } = await caller.say({ text: QUESTION });
    expect([stateOf(task), textOf(task.status.message)]).toEqual(["input-required", "Which?"]);
  });

  it("is answered at once where the caller does not wait, by a task at work [R10-3.2.2-3, DEV-working-first]", async () => {
    const { result: task } = await caller.say({ text: "/wait 60000", wait: false });
    expect(stateOf(task)).toBe("working");
    const { result: queued } = await caller.say({
      text: "/say later",
      message: { contextId: task.contextId },
      wait: false,
    });
    expect(stateOf(queued)).toBe("working");
    // The one that waits first: it would begin when the other ends.
    for (const { id } of [queued, task]) {
      expect(stateOf((await caller.ask("cancel", { id })).result)).toBe("canceled");
    }
  });

  it("gets a task and a context with ids of the server's own [R10-3.4.1-1, R10-3.4.2-1, R10-3.4.2-2, R03-11.1.2-1]", async () => {
    const [one, two] = await Promise.all([caller.say({ text: "/say 1" }), caller.say({ text: "/say 2" })]);
    for (const { id, contextId } of [one.result, two.result]) {
      expect([id, contextId]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
      expect((await caller.ask("get", { id })).result.id).toBe(id);
    }
    expect(two.result.id).not.toBe(one.result.id);
    expect(two.result.contextId).not.toBe(one.result.contextId);
  });

  it("keeps the context it names, or is refused with it [R10-3.4.1-2, R10-3.4.1-3]", async () => {
    const contextId = `mine ${caller.version} ${caller.binding}`;
    for (const text of ["/say 1", "/say 2"]) {
      expect((await caller.say({ text, message: { contextId } })).result.contextId).toBe(contextId);
    }
    for (const wrong of ["line\nbreak", "a".repeat(1025), "a\ud800", 7]) {
      const { error } = await caller.say({ text: "/say x", message: { contextId: wrong } });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("contextId") });
    }
  });

  it("continues from the history of its context [R10-3.4.1-4, R10-3.4.3-4]", async () => {
    const metadata = { model: "gw:any" };
    const { result: first } = await caller.say({ text: "My name is Ada.", metadata });
    await caller.say({ text: "What is my name?", message: { contextId: first.contextId }, metadata });
    const shown = JSON.stringify(gateway.requests.at(-1)?.body);
    expect(shown.indexOf("My name is Ada.")).toBeGreaterThan(0);
    expect(shown.indexOf("My name is Ada.")).toBeLessThan(shown.indexOf("What is my name?"));
    await caller.say({ text: "And mine?", metadata });
    expect(JSON.stringify(gateway.requests.at(-1)?.body)).not.toContain("Ada");
  });

  it("that names only its task belongs to that task's context [R10-3.4.3-1]", async () => {
    const { result: parked } = await caller.say({ text: QUESTION });
    const { result: done } = await caller.say({ text: "This one", message: { taskId: parked.id } });
    expect([done.id, done.contextId, stateOf(done), textOf(done)]).toEqual([
      parked.id,
      parked.contextId,
      "completed",
      "Thanks.",
    ]);
  });

  it("that names a task and another's context is refused, and the task still waits [R10-3.4.3-2]", async () => {
    const { result: parked } = await caller.say({ text: QUESTION });
    const { error } = await caller.say({ text: "This", message: { taskId: parked.id, contextId: "another" } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("contextId") });
    expect(stateOf((await caller.ask("get", { id: parked.id })).result)).toBe("input-required");
  });

  it("that names an unknown task is TaskNotFound; 0.3 starts a new one [R10-3.4.2-3, DEV-unknown-task]", async () => {
    const { result, error } = await caller.say({ text: "/say new", message: { taskId: "no-such-task" } });
    if (!old) expect(error).toMatchObject({ code: -32001 });
    else expect([stateOf(result), result.id === "no-such-task"]).toEqual(["completed", false]);
  });

  it("to a task that is over or at work: 0.3 starts a new task in its context, 1.0 refuses or steers [DEV-task-not-waiting]", async () => {
    const { result: over } = await caller.say({ text: "/say over" });
    const again = await caller.say({ text: "/say again", message: { taskId: over.id } });
    if (!old) expect(again.error).toMatchObject({ code: -32004 });
    else expect([again.result.id === over.id, again.result.contextId]).toEqual([false, over.contextId]);
    const { result: working } = await caller.say({ text: "/wait 60000", wait: false });
    const more = await caller.say({ text: "/say more", message: { taskId: working.id }, wait: false });
    expect([more.result.id === working.id, more.result.contextId]).toEqual([!old, working.contextId]);
    for (const { id } of [working, more.result]) await caller.ask("cancel", { id });
  });

  it("brings as much history as asked for, and its result whatever that is [R10-3.2.4-1, R10-P:history-1, R10-3.7-3]", async () => {
    const { result: parked } = await caller.say({ text: QUESTION });
    const { result: all } = await caller.say({ text: "This one", message: { taskId: parked.id } });
    expect(all.history.length).toBeGreaterThan(2);
    for (const historyLength of [0, 1, 2, 100]) {
      const { result } = await caller.ask("get", { id: all.id, historyLength });
      expect(result.history).toEqual(historyLength === 0 ? undefined : all.history.slice(-historyLength));
      expect(result.artifacts).toEqual(all.artifacts);
    }
    const { result: sent } = await caller.say({ text: "/say x", configuration: { historyLength: 0 } });
    expect([sent.history, textOf(sent)]).toEqual([undefined, "x"]);
    for (const historyLength of [-1, 1.5]) {
      expect((await caller.ask("get", { id: all.id, historyLength })).error?.code).toBe(-32602);
    }
  });

  it("gets an answer of a type it takes, or none [R10-P:modes-1]", async () => {
    const asking = (mode: string) => caller.say({ text: "/say hi", configuration: { acceptedOutputModes: [mode] } });
    expect(textOf((await asking("text/plain")).result)).toBe("hi");
    expect((await asking("image/png")).error).toMatchObject({ code: -32005 });
  });

  it("of a task that is over cannot be canceled in 1.0; 0.3 brings the Task as it is [DEV-cancel-terminal]", async () => {
    const { result: over } = await caller.say({ text: "/say over" });
    const { result, error } = await caller.ask("cancel", { id: over.id });
    if (old) expect(result).toEqual(over);
    else expect(error?.code).toBe(-32002);
    const { result: working } = await caller.say({ text: "/wait 60000", wait: false });
    const { result: canceled } = await caller.ask("cancel", { id: working.id });
    expect(stateOf(canceled)).toBe("canceled");
    expect((await caller.ask("cancel", { id: working.id })).result).toEqual(canceled);
    expect((await caller.ask("cancel", { id: "nope" })).error?.code).toBe(-32001);
  });

  it("that answers a question that is no longer open is -32002 [DEV-stale-prompt]", async () => {
    const { result: parked } = await caller.say({ text: QUESTION });
    const { promptId } = parked.status.message.parts[1].data;
    const data = { promptId, answer: "This" };
    const answer = {
      parts: [caller.version === "0.3" ? { kind: "data", data } : { data }],
      message: { taskId: parked.id },
    };
    expect(stateOf((await caller.say(answer)).result)).toBe("completed");
    expect((await caller.say(answer)).error?.code).toBe(-32002);
  });
});

describe.each(["0.3", "1.0"])("the bindings of %s", (version) => {
  const [rpc, rest] = callers.filter((caller) => caller.version === version);
  if (rpc === undefined || rest === undefined) throw new Error("two bindings");

  it("return the same of the same task, and do the same to it [R10-4-1, R10-5.1-1, R03-3.4.1-1, R03-3.5.4-1, R03-3.5.4-2, R03-11.1.4-1]", async () => {
    for (const [one, other] of [
      [rpc, rest],
      [rest, rpc],
    ] as const) {
      const { result: sent } = await one.say({ text: '/call calculator {"expression":"6*7"}' });
      expect((await other.ask("get", { id: sent.id })).result).toEqual(sent);
      const { result: working } = await one.say({ text: "/wait 60000", wait: false });
      const { result: canceled } = await other.ask("cancel", { id: working.id });
      expect(stateOf(canceled)).toBe("canceled");
      expect((await one.ask("get", { id: working.id })).result).toEqual(canceled);
      const cards = await Promise.all([one.ask("card", {}), other.ask("card", {})]);
      expect(cards[0].result).toEqual(cards[1].result);
    }
  });

  it("refuse the same with the same error [R10-5.1-1, R03-3.4.1-1]", async () => {
    const { result: over } = await rpc.say({ text: "/say over" });
    const params: Json = rpc.params({ text: "x" });
    const wrong: readonly [Parameters<typeof rpc.ask>[0], Json][] = [
      ["get", { id: "nope" }],
      ["get", { id: over.id, historyLength: -1 }],
      ["cancel", { id: "nope" }],
      ["subscribe", { id: "nope" }],
      ["send", {}],
      ["send", { message: { ...params.message, role: "nobody" } }],
      ["send", { message: { ...params.message, parts: [] } }],
      ["stream", { message: { ...params.message, parts: [{ text: 7 }] } }],
      ["send", { ...params, configuration: { historyLength: "x" } }],
      ["send", { ...params, metadata: { skill: "nope" } }],
    ];
    for (const [operation, input] of wrong) {
      const [one, other] = await Promise.all([rpc.ask(operation, input), rest.ask(operation, input)]);
      expect(one.error, operation).toBeDefined();
      expect({ ...other.error, details: one.error?.details }, operation).toEqual(one.error);
      if (version === "1.0") expect(other.error?.details).toEqual(one.error?.details);
    }
  });
});
