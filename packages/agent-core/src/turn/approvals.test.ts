/** Who is asked before a call, what they see of it, and what nothing may skip (F9, F12, F13, F28; A13, R3, S8). */
import {
  type AnyTool,
  type ApprovalRequest,
  type Park,
  park,
  type ToolDefinition,
  type ToolPreview,
} from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, countedTool, eventsOfKind, textInput } from "../core-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { TaskOptions } from "./task-options.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const BYPASS: TaskOptions = { bypassApprovals: true };
const asks = (more: Partial<ApprovalRequest> = {}): Pick<AnyTool, "approval"> => ({
  approval: () => ({ title: "Run ls?", detail: "in src", ...more }),
});

interface Started {
  readonly tool: AnyTool;
  readonly options?: TaskOptions;
  readonly callerClass?: string;
  readonly allowed?: () => boolean;
  readonly requireApproval?: readonly string[];
}

async function started({ tool, options, callerClass = "operator", allowed, requireApproval = [] }: Started) {
  const core = await bench.start({
    ...{ model: caller([call("run", { command: "ls" })]), tools: [tool] },
    enforcement: () => ({ disallowed: [], rateLimits: {}, requireApproval }),
    ...(allowed && { bypassAllowed: allowed }),
  });
  const input = textInput("go");
  const start = () =>
    core.service.start({ class: callerClass, origin: "chat", context: "c", input, ...(options && { options }) });
  const task = await start();
  await task.settled();
  return { core, task, start };
}

describe("waiving approvals (F12)", () => {
  test("skips an approval that can be waived, and journals that, after the call's start", async () => {
    const { tool, runs } = countedTool("run", asks({ bypassable: true }));
    const { core, task } = await started({ tool, options: BYPASS });
    expect(task.view.state).toBe("completed");
    expect(runs).toHaveLength(1);
    const [{ call: id } = { call: "" }] = await eventsOfKind(core, task.id, "tool.started");
    expect(await eventsOfKind(core, task.id, "approval.skipped")).toEqual([
      { kind: "approval.skipped", call: id, name: "run", by: "bypass" },
    ]);
  });

  test.each<readonly [string, Omit<Started, "tool"> & { readonly tool: Partial<AnyTool> }]>([
    ["an approval that cannot be waived", { tool: asks() }],
    ["one that is asked every time", { tool: asks({ bypassable: true, always: true, allowedBy: "ls" }) }],
    ["one of the settings", { tool: asks({ bypassable: true, allowedBy: "ls" }), requireApproval: ["run"] }],
    ["one of the settings alone", { tool: {}, requireApproval: ["run"] }],
    ["those of an unattended turn", { tool: asks({ bypassable: true }), options: { ...BYPASS, unattended: true } }],
    ["those of a peer", { tool: asks({ bypassable: true }), callerClass: "federation" }],
    ["those of a turn that does not ask for it", { tool: asks({ bypassable: true }), options: {} }],
    ["where the settings forbid it", { tool: asks({ bypassable: true }), allowed: () => false }],
  ])("does not skip %s", async (_, { tool: more, options = BYPASS, ...given }) => {
    const { tool, runs } = countedTool("run", more);
    const { core, task } = await started({ tool, options, ...given });
    expect(task.view.state).toBe("parked");
    expect(runs).toEqual([]);
    expect(await eventsOfKind(core, task.id, "approval.skipped")).toEqual([]);
  });

  test("is read at each call: a turn that is forbidden it midway asks from then on", async () => {
    let isAllowed = true;
    const { tool, runs } = countedTool("run", {
      ...asks({ bypassable: true }),
      run: () => {
        isAllowed = false;
        return "ok";
      },
    });
    const model = scriptedModel([[call("run", { n: 1 })], [call("run", { n: 2 })], "done"]);
    const core = await bench.start({ model, tools: [tool], bypassAllowed: () => isAllowed });
    const input = textInput("go");
    const task = await core.service.start({ class: "operator", origin: "chat", context: "c", input, options: BYPASS });
    await task.settled();
    expect(task.view).toMatchObject({ state: "parked", prompts: [{ payload: { args: { n: 2 } } }] });
    expect(runs).toHaveLength(1);
  });
});

describe("what else answers an approval (F9)", () => {
  test("an entry of the settings that allows the call: it runs, and the journal quotes the entry", async () => {
    const { tool, runs } = countedTool("run", asks({ allowedBy: "git status" }));
    const { core, task } = await started({ tool });
    expect(runs).toHaveLength(1);
    expect(await eventsOfKind(core, task.id, "approval.skipped")).toMatchObject([{ by: "rule", rule: "git status" }]);
  });

  test("a grant: the next same call runs, and the journal says why", async () => {
    const { tool, runs } = countedTool("run", asks());
    const { core, task, start } = await started({ tool });
    const [{ promptId } = { promptId: "" }] = task.view.prompts;
    await core.approvals.decide(promptId, { decision: "approve", remember: true });
    await task.settled();
    const again = await start();
    await again.settled();
    expect(again.view.state).toBe("completed");
    expect(runs).toHaveLength(2);
    expect(await eventsOfKind(core, task.id, "approval.skipped")).toEqual([]);
    expect(await eventsOfKind(core, again.id, "approval.skipped")).toMatchObject([{ by: "grant" }]);
  });
});

describe("enforcement.require_approval (F9)", () => {
  test("asks although a grant fits, and offers no new one", async () => {
    const { tool, runs } = countedTool("run", asks());
    let requireApproval: readonly string[] = [];
    const core = await bench.start({
      ...{ model: caller([call("run", { command: "ls" })]), tools: [tool] },
      enforcement: () => ({ disallowed: [], rateLimits: {}, requireApproval }),
    });
    const start = async () => {
      const task = await core.service.start({ class: "operator", origin: "chat", input: textInput("go") });
      await task.settled();
      return task;
    };
    const granted = (await start()).view.prompts[0]!;
    await core.approvals.decide(granted.promptId, { decision: "approve", remember: true });
    expect((await start()).view.state).toBe("completed");
    requireApproval = ["run"];
    const asked = await start();
    const [prompt] = asked.view.prompts;
    expect(prompt?.payload).not.toHaveProperty("grantable");
    const remember = core.approvals.decide(prompt!.promptId, { decision: "approve", remember: true });
    await expect(remember).rejects.toMatchObject({ code: "unfit" });
    await core.approvals.decide(prompt!.promptId, { decision: "approve" });
    await asked.settled();
    expect(runs).toHaveLength(3);
    requireApproval = [];
    expect((await start()).view.state).toBe("completed");
  });
});

describe("after a crash", () => {
  /** A process dies inside the call; the next one decides about it by its own settings. */
  async function diedInside(tool: Partial<AnyTool>, { approvedFirst = false, requireApproval = ["run"] } = {}) {
    const store = bench.newStore();
    const inside = Promise.withResolvers<void>();
    const first = countedTool("run", {
      ...tool,
      run: () => {
        inside.resolve();
        return new Promise(() => {});
      },
    });
    const enforced = (names: readonly string[]) => () => ({ disallowed: [], rateLimits: {}, requireApproval: names });
    const options = { store, model: caller([call("run", { n: 1 })]), onRestart: "resume" } as const;
    const before = approvedFirst ? requireApproval : [];
    const core1 = await bench.start({ ...options, tools: [first.tool], enforcement: enforced(before) });
    const { id } = await core1.tasks.start({ text: "go" });
    if (approvedFirst) {
      const task = (await core1.tasks.get(id))!;
      await task.settled();
      await core1.approvals.decide(task.view.prompts[0]!.promptId, { decision: "approve" });
    }
    await inside.promise;
    await bench.crash(core1);
    const second = countedTool("run", tool);
    const core2 = await bench.start({ ...options, tools: [second.tool], enforcement: enforced(requireApproval) });
    const task = (await core2.tasks.get(id))!;
    await task.settled();
    return { core: core2, task, runs: second.runs };
  }

  const notHappened: Partial<AnyTool> = { reconcile: async () => undefined };

  test.each([
    ["did not happen", notHappened],
    ["may happen again", { effect: "idempotent" }],
  ] as const)("a call that %s is asked about again by today's settings (S8)", async (_, tool) => {
    const { core, task, runs } = await diedInside(tool);
    expect(task.view).toMatchObject({ state: "parked", prompts: [{ payload: { title: "Run run?", args: { n: 1 } } }] });
    expect(runs).toEqual([]);
    const [{ promptId } = { promptId: "" }] = task.view.prompts;
    await core.approvals.decide(promptId, { decision: "approve" });
    await task.settled();
    expect(task.view.state).toBe("completed");
    expect(runs).toHaveLength(1);
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "ok" }]);
  });

  test("one that did not happen and is declined was not run, and nothing is in doubt", async () => {
    const { core, task, runs } = await diedInside(notHappened);
    await core.approvals.decide(task.view.prompts[0]!.promptId, { decision: "decline" });
    await task.settled();
    expect(runs).toEqual([]);
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "denied" }]);
    expect(answerText(task)).toContain("A person declined this call. It was not run");
  });

  test("one that a person approved, and that did not happen, runs without another question", async () => {
    const { task, runs } = await diedInside(notHappened, { approvedFirst: true });
    expect(task.view.state).toBe("completed");
    expect(runs).toHaveLength(1);
  });

  test("whether it happened is asked whatever waives approvals (F9)", async () => {
    const { task, runs } = await diedInside({ ...asks({ allowedBy: "run" }) }, { requireApproval: [] });
    expect(task.view).toMatchObject({
      state: "parked",
      prompts: [{ reason: "again", payload: { title: "Run run again?" } }],
    });
    expect(runs).toEqual([]);
  });
});

describe("what a person is shown of a call (F28)", () => {
  const showing = (preview: () => ToolPreview | undefined | Promise<ToolPreview | undefined>) =>
    countedTool("run", { ...asks(), preview });

  test("is made when they look, and says that its base changed since the call was asked about", async () => {
    let content = "a";
    const { tool } = showing(() => ({ kind: "diff", files: [], patch: `-${content}\n+z`, base: content }));
    const { core, task } = await started({ tool });
    const [{ promptId } = { promptId: "" }] = task.view.prompts;
    expect(await core.approvals.preview(promptId)).toEqual({
      preview: { kind: "diff", files: [], patch: "-a\n+z" },
      changedSince: false,
    });
    content = "b";
    expect(await core.approvals.preview(promptId)).toMatchObject({
      preview: { patch: "-b\n+z" },
      changedSince: true,
    });
    await core.approvals.decide(promptId, { decision: "approve" });
    await task.settled();
    expect(await core.approvals.preview(promptId)).toBeUndefined();
    expect(await core.approvals.preview("prompt_never")).toBeUndefined();
  });

  test.each<readonly [string, () => unknown]>([
    ["throws", () => Promise.reject(new Error("no"))],
    ["shows nothing", () => undefined],
    ["returns what is none", () => "text"],
    ["returns too much", () => ({ kind: "diff", patch: "x".repeat(5 * 1024 * 1024) })],
  ])("is nothing where the tool %s, and the call waits all the same", async (_, preview) => {
    const { tool } = showing(preview as () => ToolPreview | undefined);
    const { core, task } = await started({ tool });
    const [{ promptId } = { promptId: "" }] = task.view.prompts;
    expect(await core.approvals.preview(promptId)).toEqual({ preview: undefined, changedSince: false });
  });

  test("is nothing where the tool does not answer in 10 seconds", async () => {
    const clock = manualClock();
    let looks = 0;
    const looked = Promise.withResolvers<void>();
    const { tool } = showing(() => {
      if (++looks === 1) return undefined;
      looked.resolve();
      return new Promise(() => {});
    });
    const core = await bench.start({ model: caller([call("run")]), tools: [tool], clock });
    const task = await core.tasks.start({ text: "go" });
    await task.settled();
    const shown = core.approvals.preview(task.view.prompts[0]!.promptId);
    await looked.promise;
    await clock.advance(10_000);
    expect(await shown).toEqual({ preview: undefined, changedSince: false });
  });
});

describe("a call that asks about another one", () => {
  const inner: AnyTool = countedTool("inner", {
    ...asks(),
    preview: (input: unknown): ToolPreview => ({ kind: "command", argv: [input] }),
  }).tool;
  const outer: ToolDefinition<object> = {
    name: "run",
    description: "Runs.",
    input: v.object({}),
    availableTo: ["lead", "subagents"],
    run: (): Park =>
      park.approval({ title: "Delete it?", detail: "a.txt", tool: "inner", args: { b: 2, a: 1 }, grantable: true }),
    resume: (_, answer, { earlierAnswers }): Park | string => {
      const times = earlierAnswers.length + 1;
      if (times === 1) return park.approval({ title: "Really?", detail: "", tool: "inner", args: { a: 2 } });
      return `${times} answers, the last ${answer.kind === "approval" && answer.approved ? "yes" : "no"}`;
    },
  };

  test("shows that call and its preview, can be granted, and parks again on resume", async () => {
    const core = await bench.start({ model: caller([call("run")]), tools: [inner, outer] });
    const task = await core.tasks.start({ text: "go" });
    await task.settled();
    const [first] = task.view.prompts;
    expect(first).toMatchObject({
      ...{ reason: "inside", tool: "run" },
      payload: { kind: "approval", title: "Delete it?", tool: "inner", args: { a: 1, b: 2 }, grantable: true },
    });
    expect(await core.approvals.preview(first!.promptId)).toMatchObject({ preview: { argv: [{ a: 1, b: 2 }] } });
    await expect(core.approvals.decide(first!.promptId, { decision: "approve", args: { a: 3 } })).rejects.toThrow(
      "The call has begun",
    );
    await core.approvals.decide(first!.promptId, { decision: "approve", remember: true });
    expect(await core.approvals.grants(10)).toMatchObject([{ tool: "inner", args: '{"a":1,"b":2}' }]);
    await task.settled();
    const [second] = task.view.prompts;
    expect(second).toMatchObject({ payload: { title: "Really?", args: { a: 2 } } });
    await expect(core.approvals.decide(second!.promptId, { decision: "approve", remember: true })).rejects.toThrow(
      "asked for every time",
    );
    await core.approvals.decide(second!.promptId, { decision: "decline" });
    await task.settled();
    expect(answerText(task)).toBe("2 answers, the last no");
  });

  test("cannot be approved while the settings forbid the tool that is shown", async () => {
    const disallowed = ["inner"];
    const core = await bench.start({
      ...{ model: caller([call("run")]), tools: [inner, outer] },
      enforcement: () => ({ disallowed, rateLimits: {}, requireApproval: [] }),
    });
    const task = await core.tasks.start({ text: "go" });
    await task.settled();
    const { promptId } = task.view.prompts[0]!;
    await expect(core.approvals.decide(promptId, { decision: "approve" })).rejects.toThrow("inner is not allowed");
    expect(task.view.state).toBe("parked");
  });

  test("does not exist for peers, who can neither see nor call the tool (F13)", async () => {
    const model = caller([call("run")]);
    const core = await bench.start({ model, tools: [inner, outer] });
    const input = textInput("go");
    const task = await core.service.start({ class: "federation", origin: "a2a", context: "c", input });
    await task.settled();
    expect(model.calls[0]?.request.tools.map(({ name }) => name)).toEqual(["inner"]);
    expect(answerText(task)).toContain('there is no tool named "run"');
  });
});
