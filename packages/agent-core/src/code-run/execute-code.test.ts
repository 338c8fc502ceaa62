import { readdir, readFile, readlink } from "node:fs/promises";
import type { AnyTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, countedTool } from "../core-bench.ts";
import type { SettingsSource } from "../feature/index.ts";
import { probeSandbox, type Sandbox, type SandboxPolicy } from "../process/index.ts";
import { executeCodeSection } from "./execute-code-section.ts";
import { codeRun, codeRunIn } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const add = () =>
  countedTool("add", {
    effect: "pure",
    input: v.object({ a: v.number(), b: v.number() }) as AnyTool["input"],
    run: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
  });
const echo = () =>
  countedTool("echo", { effect: "pure", run: (input: unknown) => `you said ${JSON.stringify(input)}` });
const mail = () =>
  countedTool("mail", {
    approval: ({ to }: { to: string }) => ({ title: `Mail ${to}?`, detail: "It cannot be taken back." }),
    run: ({ to }: { to: string }) => `sent to ${to}`,
  });

type Settings = Partial<v.InferOutput<typeof executeCodeSection.schema>>;

const settingsOf =
  (given: Settings): SettingsSource =>
  (section) =>
    v.parse(section.schema, section.name === "execute_code" ? given : {}) as never;

async function started(code: string, tools: readonly AnyTool[] = [add().tool, echo().tool], settings: Settings = {}) {
  const core = await bench.start({
    model: caller([call("execute_code", { code })]),
    tools,
    features: [codeRun],
    settings: settingsOf(settings),
  });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  return { core, task };
}

const resultOf = async (...given: Parameters<typeof started>) => answerText((await started(...given)).task);

describe("a script (F18)", () => {
  test("gets values of tools, prints, and returns; all of it is its result", async () => {
    const code = `
      const { sum } = await tools.add({ a: 1, b: 2 });
      print("sum", sum, [sum], { sum });
      console.log(await tools.echo({ text: "hi" }));
      return { twice: sum * 2, names: Object.keys(tools), known: "add" in tools };`;
    expect(await resultOf(code)).toBe(
      'sum 3 [3] {"sum":3}\nyou said {"text":"hi"}\n{"twice":6,"names":["add","echo"],"known":true}',
    );
    expect(await resultOf("1 + 1")).toBe("(the script printed and returned nothing)");
  });

  test("may be TypeScript; one that cannot be parsed runs nothing", async () => {
    const typed = "const n: number = 2; interface A { b: string } return n as unknown;";
    expect(await resultOf(typed)).toBe("2");
    const { core, task } = await started("await tools.add({ a: 1, b: 1 });\nreturn 1 +;");
    expect(answerText(task)).toBe("Error: SyntaxError: unexpected token in expression: ';' (line 2)");
    expect(await callsOf(core, task.id)).toHaveLength(1);
  });

  test("fails with what it threw, where, and what it had printed; a call that fails throws in it", async () => {
    expect(await resultOf('print("so far");\nnull.x')).toBe(
      "Error: TypeError: cannot read property 'x' of null (line 2)\nPrinted before:\nso far",
    );
    const caught = 'try { await tools.add({ a: "x" }) } catch (error) { return error.message.slice(0, 33) }';
    expect(await resultOf(caught)).toBe("Invalid arguments for add: a: Inv");
    expect(await resultOf("await tools.nope()")).toContain("there is no tool named nope here");
    expect(await resultOf("await new Promise(() => {})")).toContain("waits for something that never comes");
  });

  test("reaches the tools that the settings name, and none that ask the person, delegate or end the turn", async () => {
    const names = ["ask_human", "request_user_input", "task", "task_batch", "stop_task", "wait", "add", "other"];
    const tools = names.map((name) => countedTool(name).tool);
    const code = "return Object.keys(tools)";
    expect(await resultOf(code, tools)).toBe('["add","other"]');
    expect(await resultOf(code, tools, { tools: ["other", "wait", "execute_code"] })).toBe('["other"]');
  });

  test("is cut to output_truncate, and ended at its time", async () => {
    const long = await resultOf('print("x".repeat(9000)); return "the end"', [], { output_truncate: 300 });
    expect(long).toMatch(/^x+\n\[… \d+ of 9008 characters cut …\]\nx+\nthe end$/);
    expect(long).toHaveLength(300);
    const endless = await resultOf("for (;;);", [], { timeout: 1 });
    expect(endless).toBe("Error: the script was ended after 1 s (execute_code.timeout)");
  });

  test("sees the same clock and the same random numbers each time it runs (SC3)", async () => {
    const noted: unknown[] = [];
    const note = countedTool("note", { effect: "pure", run: (input: unknown) => String(noted.push(input)) });
    const code = `
      const seen = { now: Date.now(), date: new Date().toISOString(), random: [Math.random(), Math.random()] };
      await tools.note(seen);
      await tools.mail({ to: String(seen.random[0]) });
      return JSON.stringify(seen);`;
    const { core, task } = await started(code, [note.tool, mail().tool]);
    await core.tasks.answer(task.id, { answer: "yes" });
    await task.settled();
    expect(noted).toHaveLength(1);
    expect(JSON.parse(answerText(task)!)).toEqual(noted[0]);
  });

  test("runs as one of eight at a time, and all have ended when the engine has stopped (PR1)", async () => {
    const { core } = await started("return 1");
    expect(core.processes.running).toBeLessThanOrEqual(1);
    const endless = await bench.start({
      model: caller([call("execute_code", { code: "for (;;);" })]),
      features: [codeRun],
      settings: settingsOf({ timeout: 600 }),
    });
    const tasks = await Promise.all(Array.from({ length: 9 }, (_, n) => endless.tasks.start({ text: `${n}` })));
    await expect.poll(() => endless.processes.running).toBe(8);
    await Promise.all(tasks.map(({ id }) => endless.tasks.cancel(id)));
    await expect.poll(() => endless.processes.running).toBe(0);
  });
});

describe("an approval inside a script (F19)", () => {
  test("is asked with the inner tool and its arguments, and the script goes on with the answer after a restart", async () => {
    const store = bench.newStore();
    const code = `
      const { sum } = await tools.add({ a: 1, b: 2 });
      const sent = [];
      for (const to of ["ada", "bob"]) {
        try { sent.push(await tools.mail({ to })) } catch (error) { sent.push("not sent: " + to) }
      }
      return { sum, sent };`;
    const parts = () => ({ add: add(), mail: mail() });
    const options = {
      store,
      model: caller([call("execute_code", { code })]),
      features: [codeRun] as const,
      settings: settingsOf({}),
      onRestart: "resume" as const,
    };
    const first = parts();
    const core1 = await bench.start({ ...options, tools: [first.add.tool, first.mail.tool] });
    const { id } = await core1.tasks.start({ text: "go" });
    await (await core1.tasks.get(id))!.settled();
    expect((await core1.tasks.get(id))!.view.prompts).toMatchObject([
      { tool: "mail", payload: { title: "Mail ada?", tool: "mail", args: { to: "ada" } } },
    ]);
    await core1.tasks.answer(id, { answer: "yes" });
    await (await core1.tasks.get(id))!.settled();
    await bench.crash(core1);
    const second = parts();
    const core2 = await bench.start({ ...options, tools: [second.add.tool, second.mail.tool] });
    const task = (await core2.tasks.get(id))!;
    expect(task.view.prompts).toMatchObject([{ payload: { args: { to: "bob" } } }]);
    await core2.tasks.answer(id, { answer: "no" });
    await task.settled();
    expect(JSON.parse(answerText(task)!)).toEqual({ sum: 3, sent: ["sent to ada", "not sent: bob"] });
    expect([first.mail.runs.length, second.mail.runs.length]).toEqual([1, 0]);
    // Its outcome was committed with the wait for the person, so the sum was not made again.
    expect([first.add.runs.length, second.add.runs.length]).toEqual([1, 0]);
  });
});

test("does not exist in tasks of peers", async () => {
  const core = await bench.start({
    model: caller([call("execute_code", { code: "return 1" })]),
    features: [codeRun],
    settings: settingsOf({}),
  });
  const task = await core.service.start({
    class: "federation",
    context: "c",
    origin: "a2a",
    input: { messageId: "m", parts: [{ kind: "text", text: "go" }] },
  });
  await task.settled();
  expect(answerText(task)).toContain('there is no tool named "execute_code"');
});

test("every key of the section `execute_code` has its default, and wrong values refuse (F18, S8)", () => {
  const { schema, security } = executeCodeSection;
  expect(v.parse(schema, {})).toEqual({ enabled: false, timeout: 30, tools: [], output_truncate: 6000 });
  expect(security).toBe(true);
  for (const wrong of [
    { enabled: "yes" },
    { timeout: 0 },
    { timeout: 4000 },
    { tools: ["a b"] },
    { output_truncate: 1.5 },
  ])
    expect(v.safeParse(schema, wrong).success).toBe(false);
});

describe("the process of a script", () => {
  /** The network of a script's process, as the system numbers it; undefined where it does not, or there is none. */
  async function networkOf(): Promise<string | undefined> {
    const parents = new Map<number, number>();
    const scripts: number[] = [];
    for (const pid of (await readdir("/proc").catch(() => [])).map(Number).filter((one) => one > 0)) {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      // The sandbox's own program names the script's among its arguments.
      if (line.startsWith(process.execPath) && line.includes("script-child")) scripts.push(pid);
    }
    const isOurs = (pid: number | undefined): boolean => pid === process.pid || (!!pid && isOurs(parents.get(pid)));
    const pid = scripts.find(isOurs);
    return pid === undefined ? undefined : readlink(`/proc/${pid}/ns/net`);
  }

  async function ranIn(sandbox: Sandbox | undefined) {
    let network: string | undefined;
    const { tool } = countedTool("look", {
      effect: "pure",
      run: async () => {
        network = await networkOf();
        return "looked";
      },
    });
    const core = await bench.start({
      model: caller([call("execute_code", { code: "return tools.look({})" })]),
      tools: [tool],
      features: [codeRunIn(() => sandbox)],
      settings: settingsOf({}),
    });
    const task = await core.tasks.start({ text: "go" });
    await task.settled();
    return { answer: answerText(task), network };
  }

  test("runs in the system's sandbox where one is usable, with a network of its own that leads nowhere", async () => {
    const state = await probeSandbox(process.env.PATH ?? "");
    const own = await readlink("/proc/self/ns/net").catch(() => undefined);
    const { answer, network } = await ranIn(state.usable ? state.sandbox : undefined);
    expect(answer).toBe("looked");
    if (state.usable && own !== undefined) expect(network).toMatch(/^net:/);
    expect(network === own).toBe(!state.usable || own === undefined);
    expect(await ranIn(undefined)).toEqual({ answer: "looked", network: own });
  });

  test("is allowed no network and nothing to write to, whatever sandbox there is", async () => {
    const policies: SandboxPolicy[] = [];
    const { answer } = await ranIn({
      provider: "bubblewrap",
      endsAll: false,
      wrap: (argv, policy) => {
        policies.push(policy);
        return [...argv] as [string, ...string[]];
      },
    });
    expect(answer).toBe("looked");
    expect(policies).toMatchObject([{ network: false, writable: [], pinned: [], hidden: [] }]);
    expect(policies[0]!.readOnly).toContain(process.execPath);
  });
});
