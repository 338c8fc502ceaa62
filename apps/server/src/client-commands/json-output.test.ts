/** `--json` on every form of every command that its help lists: values on standard output, errors as values beside it (B93). */
import { errorReply, localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Json } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { COMMANDS, type CommandIo, EXIT, runClientCommand } from "./index.ts";

/** A tool that asks by itself, so a call of it can be approved for the future. */
const command = {
  name: "command",
  description: "Runs.",
  input: v.object({}),
  approval: () => ({ title: "Run it?", detail: "" }),
  run: () => "it ran",
};
let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    tools: [command],
    config: `auth: { token: operator-token-0123456789 }\nenforcement: { require_approval: [calculator] }\nmodel: { name: "scripted:demo" }\n`,
  });
});
afterAll(() => running.stop());

interface Run {
  readonly piped?: string;
  readonly env?: { readonly [name: string]: string };
  /** Ctrl-C once standard output matches. */
  readonly until?: RegExp;
}

/** Runs a command as a program does, and demands JSON and nothing else of what it writes. */
async function run(args: readonly string[], { piped, env, until }: Run = {}) {
  const out = { stdout: "", stderr: "" };
  let stop = (): void => {};
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      out[name] += text;
      if (until?.test(out.stdout) === true) setImmediate(() => stop());
    },
    terminal: false,
    columns: 80,
  });
  const io: CommandIo = {
    env: {
      ...{ SVC_HOME: running.folders.home, SVC_CONFIG_DIR: running.folders.config, SVC_URL: running.url },
      ...env,
    },
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    keyboard: undefined,
    piped: piped === undefined ? undefined : async () => piped,
    onInterrupt(called) {
      stop = called;
      return () => {};
    },
    pause: (_, signal) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve())),
    checkoutRoot: undefined,
  };
  const code = await runClientCommand([...args, "--json"], io);
  const values = linesOf(out.stdout);
  const errors = linesOf(out.stderr);
  const context = JSON.stringify({ args, code, ...out });
  expect(values.length + errors.length, context).toBeGreaterThan(0);
  if (code === EXIT.ok) expect(errors, context).toEqual([]);
  for (const { error } of errors) {
    expect(error, context).toMatchObject({ code: expect.stringMatching(/^[a-z-]+$/), exit_code: code });
    expect(error.message, context).toMatch(/^\S[^\n]+$/);
  }
  expect(errors.length, context).toBeLessThanOrEqual(1);
  return { code, values, value: values[0] ?? {}, error: errors[0]?.error as Json | undefined };
}

function linesOf(text: string): Json[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Json]));
}

/** Each form of a command in its help: `tasks show <id>`. */
const FORMS = COMMANDS.flatMap(({ usage }) =>
  [...usage.matchAll(/^(?:… \| )?agent-service ([^\n]+?)(?: {2,}.*)?$/gm)].map(([, form = ""]) => form),
);
/** Reads the files and needs no service: the process's own test has it. */
const WITHOUT_SERVICE = "config explain [key]";

it("answers every form with JSON, given arguments unknown to the service, and without a service", async () => {
  expect(FORMS.length).toBeGreaterThan(25);
  for (const form of FORMS) {
    if (form === WITHOUT_SERVICE) continue;
    const args = form.replaceAll(/ ?\[\w+\]| …/g, "").replaceAll(/<\w+>/g, "none");
    const positionals = args.split(" ");
    const streams = positionals.length === 1 && ["events", "logs"].includes(args);
    const closed = { env: { SVC_URL: "http://127.0.0.1:1" } };
    const away = await run(positionals, closed);
    expect([form, away.code]).not.toEqual([form, EXIT.ok]);
    if (!streams && args !== "chat none") await run(positionals, { piped: "none" });
    await run([...positionals, "--no-such-flag"]);
    const help = await run([...positionals, "--help"]);
    expect([help.code, help.value]).toEqual([
      EXIT.ok,
      { name: positionals[0], summary: expect.any(String), usage: expect.stringContaining("--json") },
    ]);
  }
  expect((await run(["nothing"])).error).toMatchObject({ code: "usage", exit_code: EXIT.usage });
});

it("refuses arguments that a form does not take", async () => {
  const fixed = FORMS.filter((form) => !/ …|<text>|\[key\]|<key>|<message>|<condition>|^chat$/.test(form));
  expect(fixed.length).toBeGreaterThan(18);
  for (const form of fixed) {
    const args = form.replaceAll(/[[\]]/g, "").replaceAll(/<\w+>/g, "none").split(" --", 1)[0] ?? "";
    const { code, error } = await run([...args.split(" "), "one-too-many"]);
    expect([form, code, error?.message]).toEqual([form, EXIT.usage, expect.stringContaining('"one-too-many"')]);
  }
});

it("prints conversations, tasks, approvals and jobs as the API returns them", async () => {
  const call = "/call command {}\n/then\n/say Done.";
  const chat = await run(["chat", "--session", "json", call]);
  expect([chat.code, chat.values.at(-1)?.kind]).toEqual([EXIT.waiting, "input-required"]);
  const task: string = chat.value.task.id;
  expect((await run(["chat"], { piped: "/say piped" })).values.at(-1)).toMatchObject({ kind: "status" });
  const { approvals, pending } = (await run(["approvals"])).value;
  expect([approvals[0].task_id, pending]).toEqual([task, 1]);
  const approved = await run(["approvals", "approve", approvals[0].id, "--remember"]);
  expect(approved.value).toMatchObject({ task_id: task });
  expect((await run(["approvals", "decline", approvals[0].id])).error).toMatchObject({ code: "refused", status: 409 });
  await (await running.service.core.service.get(task))?.settled();
  const { grants, more } = (await run(["approvals", "grants"])).value;
  expect([grants.length, more]).toEqual([1, false]);
  expect((await run(["approvals", "revoke", grants[0].id])).code).toBe(EXIT.ok);
  await run(["chat", '/call ask_human {"question":"Which city?"}']);
  const question = (await run(["approvals", "list"])).value.approvals[0];
  expect((await run(["approvals", "answer", question.id, "Rome"])).value.task_id).toBe(question.task_id);
  await (await running.service.core.service.get(question.task_id))?.settled();
  expect((await run(["tasks", "--limit", "1"])).value).toMatchObject({ tasks: [{}], more: true });
  expect((await run(["tasks", "show", task])).value).toMatchObject({ task_id: task, text: "Done." });
  expect((await run(["tasks", "journal", task])).value).toMatchObject({ task_id: task, more: false });
  expect((await run(["tasks", "cancel", task])).error).toMatchObject({ exit_code: EXIT.failed });
  expect((await run(["sessions", "--limit", "1"])).value).toMatchObject({ sessions: [{}], more: true });
  expect((await run(["steer", "json", "/say steered"])).value).toHaveProperty("pending");
  const job = { description: "sum", prompt: "/wait 60000", subagent_type: "researcher", run_in_background: true };
  expect((await run(["chat", "--session", "jobs", `/call task ${JSON.stringify(job)}`])).code).toBe(EXIT.ok);
  const { jobs } = (await run(["jobs"])).value;
  expect((await run(["jobs", "show", jobs[0].id])).value).toMatchObject({ id: jobs[0].id });
  expect((await run(["jobs", "cancel", jobs[0].id])).value).toMatchObject({ ok: true });
});

it("gives the state of the service, its settings, its models and its checks", async () => {
  expect((await run(["status"])).value).toMatchObject({ url: running.url, approvals_pending: 0 });
  expect((await run(["access"])).value).toMatchObject({ url: running.url, answers: true });
  expect((await run(["doctor"])).value).toMatchObject({ ok: true, findings: expect.any(Array) });
  expect((await run(["config", "set", "model.temperature=0.3"])).value).toHaveProperty("restart_required");
  expect((await run(["config", "set", "identity.name=-"], { piped: "ada" })).code).toBe(EXIT.ok);
  expect((await run(["config", "get", "model.temperature"])).value.values).toMatchObject([{ value: 0.3 }]);
  expect((await run(["config", "reset", "model.temperature"])).code).toBe(EXIT.ok);
  expect((await run(["config", "set", "model.temperature=hot"])).error).toMatchObject({ exit_code: EXIT.failed });
  const gateway = await localGateway(errorReply(401, "no such key"));
  onTestFinished(() => gateway.close());
  const connect = ["connect", "--id", "gw", "--base-url", gateway.baseUrl, "--model", "real", "--no-lead"];
  expect(await run(connect)).toMatchObject({ code: EXIT.failed, value: { ok: false } });
  const closed = await run(["connect", "--base-url", "http://127.0.0.1:1/v1", "--model", "real"]);
  expect(closed.value.error).toMatch(/^No answer: new-connection could not be reached/);
  gateway.list([{ id: "real" }]);
  gateway.answer(({ body }) =>
    (body as Json).tools?.length > 0 ? toolReply({ name: "report_ready", args: { ready: true } }) : textReply("ready"),
  );
  expect((await run(connect)).value).toEqual({ id: "gw", model: "gw:real", lead: false });
});

it("gives a line for each event and log line", async () => {
  running.service.core.bus.publish("build.finished", { ok: true });
  const seen = await run(["events", "--since", "1-1", "--topic", "build", "--until", "build.finished"]);
  expect(seen.values).toMatchObject([{ topic: "build.finished", data: { ok: true } }]);
  running.service.log.info("a ship came in");
  const logs = await run(["logs", "--follow"], { until: /a ship came in/ });
  expect([logs.code, logs.values.at(-1)?.message]).toEqual([EXIT.interrupted, "a ship came in"]);
  const most = await run(["logs", "--lines", "1"]);
  expect(most.values).toMatchObject([{ level: expect.any(String), fields: expect.any(Object) }]);
});
