/** The commands against a service of this process, as a person at a terminal and as a script. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { errorReply, localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { helpText } from "../cli/index.ts";
import type { Json } from "../testing/index.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../testing/test-service.ts";
import { COMMANDS, type CommandIo, commandList, EXIT, runClientCommand } from "./index.ts";

const TOKEN = "operator-token-0123456789";
/** A tool whose approval can be waived, and that shows its script. */
const command: NonNullable<TestServiceOptions["tools"]>[number] = {
  name: "command",
  description: "Runs.",
  input: v.object({}),
  approval: () => ({ title: "Run it?", detail: "", bypassable: true }),
  preview: () => ({ kind: "code", language: "javascript", code: "print(6 * 7)" }),
  run: () => "it ran",
};
let running: TestService;
let env: { [name: string]: string };
beforeAll(async () => {
  running = await startTestService({
    tools: [command],
    // What the card names is not how these commands come here.
    env: { A2A_PUBLIC_URL: "https://agent.example/base" },
    config: `auth: { token: ${TOKEN} }\nenforcement: { require_approval: [calculator] }\nmodel: { name: "scripted:demo" }\n`,
  });
  env = { SVC_HOME: running.folders.home, SVC_CONFIG_DIR: running.folders.config, SVC_URL: running.url };
});
afterAll(() => running.stop());

interface Run {
  /** What the person types at each question, or at the end of the input; the piped input. */
  readonly answers?: readonly (string | { readonly after: RegExp; readonly type: string })[];
  readonly piped?: string;
  readonly env?: { readonly [name: string]: string };
  /** Called with all of standard output after each write and answer, and when the command pauses. */
  readonly watch?: (text: string, at: { type(line: string): void; interrupt(): void }) => void;
}

/** Runs a command with a terminal where there are answers, else as a script does. */
async function run(args: readonly string[], { answers, piped, watch, ...given }: Run = {}) {
  const out = { stdout: "", stderr: "" };
  const left = [...(answers ?? [])];
  let listener: ((line: string) => void) | undefined;
  const stops = new Set<() => void>();
  const at = { type: (line: string) => listener?.(line), interrupt: () => stops.forEach((stop) => void stop()) };
  const terminal = answers !== undefined;
  let wrote = (): void => {};
  /** Until the person has read what they answer to. */
  const read = (after: RegExp): Promise<void> =>
    new Promise((resolve) => {
      wrote = () => {
        if (after.test(out.stdout)) resolve();
      };
      wrote();
    });
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      out[name] += text;
      wrote();
      watch?.(out.stdout, at);
    },
    terminal,
    columns: 120,
  });
  const io: CommandIo = {
    env: { NO_COLOR: "1", ...env, ...given.env },
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    keyboard: terminal
      ? () => ({
          async ask(question) {
            out.stdout += question;
            const next = left.shift();
            if (typeof next === "object") await read(next.after);
            const answer = typeof next === "object" ? next.type : next;
            out.stdout += `${answer ?? "(left)"}\n`;
            // The command has the answer first.
            setImmediate(() => watch?.(out.stdout, at));
            return answer;
          },
          listen: (next) => {
            listener = next;
          },
          close: () => {},
        })
      : undefined,
    piped: piped === undefined ? undefined : async () => piped,
    onInterrupt(stop) {
      stops.add(stop);
      return () => stops.delete(stop);
    },
    pause(_, signal) {
      const aborted = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      watch?.(out.stdout, at);
      return aborted;
    },
    checkoutRoot: undefined,
  };
  const code = await runClientCommand(args, io);
  return { code, ...out, json: () => JSON.parse(out.stdout) as Json };
}

it("lists every command in the help of the command line, and each has help of its own", async () => {
  const help = helpText(commandList().text);
  expect(help).toMatch(/^ {2}mcp +MCP servers: /m);
  for (const { name, usage } of COMMANDS) {
    expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
    const ownHelp = await run([name, "--help"]);
    expect([ownHelp.code, ownHelp.stdout.includes(usage.trimEnd())]).toEqual([EXIT.ok, true]);
  }
});

it("has every command that the documents show", () => {
  const root = new URL("../../../../", import.meta.url);
  const pages = ["docs/operator-api.md", "apps/server/README.md"].map((page) =>
    readFileSync(new URL(page, root), "utf8"),
  );
  const shown = pages.flatMap((text) =>
    [...text.matchAll(/(?:^|[$`(] ?| {2})agent-service ([a-z]+)/gm)].map(([, name]) => name),
  );
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((shownName) => !COMMANDS.some(({ name }) => name === shownName))).toEqual([]);
});

describe("address and token", () => {
  it("come from the configuration of this machine; that token is sent to no other address", async () => {
    const access = await run(["access"]);
    expect(access.code).toBe(EXIT.ok);
    expect(access.stdout).toContain(`${TOKEN} (${running.folders.config}/agent-config.yaml:1)`);
    expect((await run(["access", "--json"])).json()).toMatchObject({ url: running.url, token: TOKEN, answers: true });
    const elsewhere = ["access", "--json", "--url", "http://agent.invalid/agents/ada/"];
    const remote = await run(elsewhere);
    expect([remote.code, remote.json()]).toEqual([
      EXIT.unreachable,
      expect.objectContaining({ url: "http://agent.invalid/agents/ada", api_key: null }),
    ]);
    expect((await run(elsewhere, { env: { A2A_AUTH_TOKEN: "t" } })).json()).toMatchObject({ token: "t" });
  });

  it("that are wrong end with a code of their own and one line that shows what to do", async () => {
    const other = { env: { SVC_CONFIG_DIR: join(running.folders.root, "none"), A2A_AUTH_TOKEN: "wrong" } };
    const denied = await run(["status"], other);
    expect([denied.code, denied.stdout]).toEqual([EXIT.unauthorized, ""]);
    expect(denied.stderr).toMatch(/^agent-service: [^\n]*A2A_AUTH_TOKEN[^\n]*\n$/);
    expect((await run(["chat", "hello"], other)).code).toBe(EXIT.unauthorized);
    const closed = await run(["tasks", "--json"], { env: { SVC_URL: "http://127.0.0.1:1" } });
    expect([closed.code, closed.stdout]).toEqual([EXIT.unreachable, ""]);
    expect(JSON.parse(closed.stderr)).toEqual({
      error: {
        ...{ code: "unreachable", exit_code: EXIT.unreachable },
        message: expect.stringContaining("http://127.0.0.1:1"),
      },
    });
    for (const args of [
      ["status", "--bad"],
      ["tasks", "shw"],
      ["tasks", "show"],
      ["tasks", "--state", "odd"],
      ["approvals", "approve", "x", "--args", "[1]"],
      ["status", "--url", "ftp://x"],
      ["config", "set", "nokey"],
      ["nothing"],
    ])
      expect([args, (await run(args)).code]).toEqual([args, EXIT.usage]);
    for (const how of [{ piped: "\n" }, { answers: [] }])
      expect((await run(["config", "set", "auth.token=-"], how)).code).toBe(EXIT.usage);
    expect((await run(["tasks", "show", "none"])).code).toBe(EXIT.failed);
  });
});

it("reports in one line that something else answers at the address", async () => {
  const server = createServer((_, response) => response.end("<html>"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await run(["chat", "hello"], { env: { SVC_URL: url } });
  expect([code, stderr]).toEqual([EXIT.failed, expect.stringMatching(/^agent-service: [^\n]+\n$/)]);
});

describe("a script", () => {
  it("gets the answer alone, or every event as JSON, and codes for what came of the turn", async () => {
    expect(await run(["chat", "/say", "hello"])).toMatchObject({ code: EXIT.ok, stdout: "hello\n", stderr: "" });
    expect((await run(["chat"], { piped: "/say piped\n" })).stdout).toBe("piped\n");
    expect((await run(["chat"], { piped: " " })).code).toBe(EXIT.usage);
    const failed = await run(["chat", "/fail 400"]);
    expect([failed.code, failed.stdout]).toEqual([EXIT.failed, ""]);
    expect(failed.stderr).toContain("400");
    const events = (await run(["chat", "--json", "--session", "s", "/call current_time {}"])).stdout.trim().split("\n");
    const kinds = events.map((line) => (JSON.parse(line) as Json).kind);
    expect([kinds[0], kinds.at(-1), kinds.includes("tool")]).toEqual(["task", "status", true]);
  });

  it("shows nothing to the terminal that a model could move its cursor with", async () => {
    const { stdout } = await run(["chat", "/say a\u001b[2Jb\u009bc\u202ed"], { answers: [] });
    expect(stdout).toContain("a\ufffd[2Jb\ufffdcd");
  });

  it("shows what a call would do where it is asked about, and asks nothing with --bypass-approvals (F12, F28)", async () => {
    const asked = await run(["chat", "/call command {}"], { answers: ["n"] });
    expect(asked.stdout).toContain("Run it?\n  command {}\n  print(6 * 7)\n[y approve, n decline");
    const waived = await run(["chat", "--bypass-approvals", "/call command {}"], { answers: [] });
    expect(waived).toMatchObject({ code: EXIT.ok, stdout: expect.stringContaining("it ran") });
    expect(waived.stdout).toContain("! command ran without asking: approvals are bypassed in this turn");
    await run(["chat", "/call command {}"]);
    const [{ id }] = (await run(["approvals", "--json"])).json().approvals;
    expect((await run(["approvals"])).stdout).toContain("  print(6 * 7)\n");
    expect((await run(["approvals", "show", id])).stdout).toBe("  print(6 * 7)\n");
    expect((await run(["approvals", "show", id, "--json"])).json()).toMatchObject({ kind: "code" });
    await run(["approvals", "decline", id]);
    expect((await run(["approvals", "show", id])).code).toBe(EXIT.failed);
  });

  it("has what waits listed, decides about it, and reads what happened and what it cost", async () => {
    const waiting = await run(["chat", '/call calculator {"expression":"6*7"}\n/then\n/say Done.']);
    expect([waiting.code, waiting.stdout]).toEqual([EXIT.waiting, ""]);
    expect(waiting.stderr).toContain("Calculate 6*7?");
    const [row] = (await run(["approvals", "--json"])).json().approvals;
    expect((await run(["approvals"])).stdout).toContain(`${row.id}  approval since`);
    const approved = await run(["approvals", "approve", row.id, "--args", '{"expression":"6*8"}']);
    expect([approved.code, approved.stdout]).toEqual([EXIT.ok, expect.stringContaining(row.task_id)]);
    expect((await run(["approvals", "decline", row.id])).code).toBe(EXIT.failed);
    await (await running.service.core.service.get(row.task_id))?.settled();
    const show = await run(["tasks", "show", row.task_id]);
    expect(show.stdout).toMatch(/state +completed[\s\S]*tokens +\d+ in[\s\S]*\nDone\.\n/);
    const journal = await run(["tasks", "journal", row.task_id]);
    for (const line of [/waits +approval of calculator/, /tool +calculator ok in .*48/, /completed +.*tokens/])
      expect(journal.stdout).toMatch(line);
    const list = (await run(["tasks", "--limit", "1", "--json"])).json().tasks;
    expect(list).toMatchObject([{ task_id: row.task_id, state: "completed" }]);
    const found = await run(["tasks", "--search", "CALCULATOR done", "--json"]);
    expect(found.json().tasks).toMatchObject([{ task_id: row.task_id }]);
    expect((await run(["tasks", "--search", "nowhere"])).stderr).toContain("There are no such tasks.");
    await run(["chat", "/call command {}"]);
    const [plain] = (await run(["approvals", "--json"])).json().approvals;
    await run(["approvals", "approve", plain.id, "--remember"]);
    const [grant] = (await run(["approvals", "grants", "--json"])).json().grants;
    expect((await run(["approvals", "revoke", grant.id])).code).toBe(EXIT.ok);
    expect((await run(["approvals", "grants"])).stderr).toContain("Nothing is approved");
    expect((await run(["tasks", "cancel", row.task_id])).code).toBe(EXIT.failed);
    expect((await run(["sessions", "--json"])).json().sessions.length).toBeGreaterThan(2);
  });

  it("changes settings, and reads logs and events", async () => {
    expect((await run(["config", "set", "model.temperature=0.3", "identity.name=-"], { piped: "ada\n" })).code).toBe(0);
    expect((await run(["config", "get", "model.temperature"])).stdout).toMatch(
      /^model\.temperature = 0\.3 +\S+yaml:\d+\n$/,
    );
    expect((await run(["config", "get", "auth.token"])).stdout).toMatch(/^auth\.token = \(secret, set\)/);
    expect((await run(["config", "reset", "model.temperature", "identity.name"])).code).toBe(EXIT.ok);
    expect((await run(["config", "set", "model.temperature=hot"])).code).toBe(EXIT.failed);
    running.service.core.bus.publish("build.finished", { ok: true });
    const seen = await run(["events", "--json", "--since", "1-1", "--topic", "build", "--until", "build.finished"]);
    expect(seen.json()).toMatchObject({ topic: "build.finished", data: { ok: true } });
    const logs = await run(["logs", "--level", "WARNING"]);
    expect(logs.stdout).toContain("A2A_ALLOWED_ORIGINS");
    expect(logs.stdout).not.toContain(" INFO ");
    const { log, core } = running.service;
    const lines = ["a ship came in", "a ship went out"];
    const followed = await run(["logs", "--follow", "--lines", "1"], {
      watch(text, { interrupt }) {
        if (text.includes("a ship went out")) interrupt();
        const next = lines.shift();
        if (next === undefined) return;
        log.info(next);
        // As the service publishes it a second after a line.
        core.bus.publish("log.written", {});
      },
    });
    expect([followed.code, followed.stdout.match(/a ship/g)?.length]).toEqual([EXIT.interrupted, 2]);
  });
});

describe("a direct call", () => {
  it("prints the result, its outcome by the exit code, and one JSON value", async () => {
    const { code, stdout } = await run(["call", "current_time", '{"timezone":"UTC"}']);
    expect([code, stdout]).toEqual([EXIT.ok, expect.stringMatching(/\d{4}/)]);
    const failed = await run(["call", "current_time", '{"timezone":"Nowhere"}']);
    expect([failed.code, failed.stderr]).toEqual([EXIT.failed, expect.stringContaining("The call failed")]);
    const json = await run(["call", "current_time", "--json"]);
    expect([json.code, json.json()]).toEqual([EXIT.ok, expect.objectContaining({ outcome: "ok", state: "completed" })]);
    for (const wrong of [
      ["call"],
      ["call", "current_time", "{"],
      ["call", "current_time", "[]"],
      ["call", "a", "{}", "b"],
    ])
      expect((await run(wrong)).code).toBe(EXIT.usage);
    expect((await run(["call", "nope"])).code).toBe(EXIT.failed);
  });

  it("has the person approve it at a terminal, and says what waits elsewhere", async () => {
    const asked = await run(["call", "calculator", '{"expression":"6*7"}'], { answers: ["y"] });
    expect([asked.code, asked.stdout]).toEqual([EXIT.ok, expect.stringMatching(/Calculate 6\*7\?[\s\S]*\n42\n$/)]);
    const waits = await run(["call", "calculator", '{"expression":"6*8"}']);
    expect([waits.code, waits.stderr]).toEqual([
      EXIT.waiting,
      expect.stringMatching(/agent-service approvals \(prompt_/),
    ]);
    const [id] = /prompt_\w+/.exec(waits.stderr)!;
    await run(["approvals", "decline", id]);
  });

  it("fills a form in, again where it does not fit, or declines it with a note", async () => {
    const properties = { age: { type: "integer" } };
    const args = JSON.stringify({
      title: "You",
      steps: [{ schema: { type: "object", properties, required: ["age"] } }],
    });
    const filled = await run(["call", "request_user_input", args], { answers: ["x", "30"] });
    expect([filled.code, filled.stdout]).toEqual([EXIT.ok, expect.stringMatching(/does not fit[\s\S]*"age":30/)]);
    const declined = await run(["call", "request_user_input", args], { answers: ["/decline not today"] });
    expect([declined.code, declined.stdout]).toEqual([EXIT.ok, expect.stringContaining("They say: not today")]);
  });
});

describe("a person at a terminal", () => {
  it("declines a form in a conversation", async () => {
    const steps = JSON.stringify([{ schema: { type: "object", properties: { age: { type: "integer" } } } }]);
    const { stdout } = await run(["chat", `/call request_user_input {"title":"You","steps":${steps}}`], {
      answers: ["/decline"],
    });
    expect(stdout).toMatch(/\/decline declines it[\s\S]*request_user_input returned: declined/);
  });

  it("talks, answers questions and forms, edits an approval, and steers by typing", async () => {
    const steps = JSON.stringify([
      { schema: { type: "object", properties: { age: { type: "integer" } }, required: ["age"] } },
    ]);
    const { code, stdout } = await run(["chat"], {
      answers: [
        ...['/call ask_human {"question":"Which city?"}', "Rome"],
        ...[`/call request_user_input {"title":"You","steps":${steps}}`, "x", "", "30"],
        ...['/call calculator {"expression":"6*7"}', "what", "e", "{", "e", '{"expression":"6*9"}'],
        ...["/say begun\n/wait 60000", "/exit"],
      ],
      watch(text, at) {
        if (text.endsWith("\nbegun")) at.type("also this");
        if (text.endsWith("(the next model call reads it)\n")) at.interrupt();
      },
    });
    expect(code).toBe(EXIT.ok);
    expect(stdout).toMatch(/Which city\?[\s\S]*ask_human returned: Rome/);
    expect(stdout).toMatch(/does not fit[\s\S]*That one is needed\.[\s\S]*"age":30/);
    expect(stdout).toMatch(/That is no JSON object\.[\s\S]*✓ calculator 54/);
    expect(stdout).toContain("chat --session");
  });

  it("answers what a subagent asks, and cancels with Ctrl-C", async () => {
    const prompt = '/call calculator {"expression":"5*5"}';
    const task = `/call task ${JSON.stringify({ description: "sum", prompt, subagent_type: "researcher" })}`;
    const asked = await run(["chat", task], { answers: ["y"] });
    expect([asked.code, asked.stdout]).toEqual([
      EXIT.ok,
      expect.stringContaining("task returned: calculator returned: 25"),
    ]);
    const canceled = await run(["chat", "/say begun\n/wait 60000"], {
      answers: [],
      watch: (text, { interrupt }) => {
        if (text.endsWith("begun")) interrupt();
      },
    });
    expect([canceled.code, canceled.stdout]).toEqual([EXIT.failed, expect.stringContaining("canceled ·")]);
  });

  it("is asked what a background job of the conversation needs, and reads its report", async () => {
    const job = { description: "sum", prompt: '/call calculator {"expression":"8*8"}', subagent_type: "researcher" };
    const spawn = `/call task ${JSON.stringify({ ...job, run_in_background: true })}\n/then\n/say begun\n/wait 60000`;
    const { stdout } = await run(["chat", "--session", "jobs", spawn], {
      answers: ["y"],
      watch: (text, { interrupt }) => {
        if (/\] y\n$/.test(text)) interrupt();
      },
    });
    expect(stdout).toMatch(/\(background\) of this conversation waits for a person:\nCalculate 8\*8\?/);
    const { core } = running.service;
    const { background } = core.features;
    const [{ id, a2a_task_id: task }] = (await run(["jobs", "--session", "jobs", "--json"])).json().jobs;
    await (await core.service.get(task))?.settled();
    await background.idle();
    expect((await run(["jobs", "show", id])).stdout).toMatch(/status +completed[\s\S]*returned: 64/);
    expect((await run(["jobs", "cancel", id])).code).toBe(EXIT.failed);
    expect((await run(["tasks", "--origin", "background", "--session", "jobs"])).code).toBe(EXIT.ok);
  });

  it("shows what arrives in the conversation by itself, and answers it with an empty line", async () => {
    const job = { description: "sum", prompt: '/call calculator {"expression":"9*9"}', subagent_type: "researcher" };
    const { code, stdout } = await run(["chat"], {
      answers: [
        `/call task ${JSON.stringify({ ...job, run_in_background: true })}`,
        { after: /\(background\) waits for you/, type: "" },
        "y",
        { after: /\(by itself, task /, type: "/exit" },
      ],
    });
    expect(code).toBe(EXIT.ok);
    expect(stdout).toMatch(/by itself[\s\S]*calculator returned: 81/);
  });

  it("connects a model that answers and calls tools, and none that does not", async () => {
    const gateway = await localGateway(errorReply(401, "no such key"));
    onTestFinished(() => gateway.close());
    const config = (): string => readFileSync(join(running.folders.config, "agent-config.yaml"), "utf8");
    const before = config();
    const script = ["connect", "--id", "gw", "--base-url", gateway.baseUrl, "--model", "real", "--key-env", "KEY"];
    const refused = await run(script, { env: { KEY: "wrong-key" } });
    expect([refused.code, config()]).toEqual([EXIT.failed, before]);
    gateway.list([{ id: "real" }]);
    gateway.answer(({ body }) =>
      (body as Json).tools?.length > 0
        ? toolReply({ name: "report_ready", args: { ready: true } })
        : textReply("ready"),
    );
    const connected = await run(["connect", "--id", "gw"], { answers: [gateway.baseUrl, "a-secret-key", ""] });
    expect([connected.code, connected.stderr]).toEqual([EXIT.ok, expect.stringContaining("gw:real leads now")]);
    expect(config()).not.toContain("a-secret-key");
    expect((await run(["status"])).stdout).toMatch(/^model +gw:real$/m);
    expect((await run(["doctor"])).stdout).toMatch(/✓ model +gw:real answers in .* and calls tools/);
    expect((await run(["config", "set", "model.name=scripted:demo"])).code).toBe(EXIT.ok);
  });
});

describe("connect", () => {
  it("lists the providers whose address is known, for people and for scripts", async () => {
    const shown = await run(["connect", "--list"]);
    expect(shown.stdout).toMatch(/^ {2}anthropic +Anthropic +https:\/\/api\.anthropic\.com\/v1$/m);
    const { providers } = (await run(["connect", "--list", "--json"])).json();
    expect(providers.map(({ id }: Json) => id)).toEqual(expect.arrayContaining(["openai", "ollama", "litellm"]));
    expect((await run(["connect", "--provider", "nobody", "--model", "m"])).code).toBe(EXIT.usage);
    expect((await run(["connect", "--provider", "groq", "--base-url", "http://h/v1"])).code).toBe(EXIT.usage);
  });

  it("keeps connections to different addresses apart, and never prints a key", async () => {
    const script = ({ body }: { readonly body: unknown }) =>
      (body as Json).tools?.length > 0
        ? toolReply({ name: "report_ready", args: { ready: true } })
        : textReply("ready");
    const [first, second] = await Promise.all([localGateway(script), localGateway(errorReply(401, "no such key"))]);
    onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
    first.list([{ id: "real" }]);
    const flags = (address: string): string[] => ["connect", "--no-lead", "--base-url", address];
    const withKey = [...flags(first.baseUrl), "--key-env", "KEY"];
    const done = await run(withKey, { env: { KEY: "a-secret-key" }, answers: [""] });
    expect([done.code, done.stderr]).toEqual([EXIT.ok, expect.stringContaining("gateway is connected")]);
    expect(done.stdout + done.stderr).not.toContain("a-secret-key");
    const refused = await run([...flags(second.baseUrl), "--model", "m"]);
    expect([refused.code, refused.stderr]).toEqual([EXIT.failed, expect.stringMatching(/needs a key.*--key-env/)]);
    const other = await run([...flags(second.baseUrl), "--model", "m", "--no-test", "--json"]);
    expect(other.json()).toMatchObject({ id: "gateway-2" });
    expect((await run([...flags(first.baseUrl), "--model", "real", "--no-test", "--json"])).json()).toMatchObject({
      id: "gateway",
    });
  });
});

describe("the doctor", () => {
  it("finds a service that is up in order, and reports who owns the store of one that is down", async () => {
    const up = await run(["doctor", "--json"]);
    expect([up.code, up.json().ok]).toEqual([EXIT.ok, true]);
    const states = up.json().findings.map(({ about, state }: Json) => `${about} ${state}`);
    for (const one of ["config ok", "store ok", "disk ok", "clock ok", "service ok", "model warning"])
      expect(states).toContain(one);
    const down = await run(["doctor"], { env: { SVC_URL: "http://127.0.0.1:1" } });
    expect(down.code).toBe(EXIT.failed);
    expect(down.stdout).toMatch(new RegExp(`✗ service [^\\n]*\\n +→ process ${process.pid} .* owns the store`));
  });

  it("names the line of a broken configuration", async () => {
    const own = { env: { SVC_CONFIG_DIR: join(running.folders.root, "broken"), SVC_URL: "http://127.0.0.1:1" } };
    mkdirSync(own.env.SVC_CONFIG_DIR);
    writeFileSync(join(own.env.SVC_CONFIG_DIR, "agent-config.yaml"), "model: [\n");
    const { code, stdout } = await run(["doctor"], own);
    expect([code, stdout]).toEqual([EXIT.failed, expect.stringMatching(/✗ config +\S*agent-config\.yaml:\d/)]);
  });
});

describe("changes", () => {
  it("lists and shows what was changed, and takes it back only with --yes", async () => {
    const file = join(running.folders.home, "workspace", "notes.txt");
    const args = JSON.stringify({ path: "notes.txt", content: "one\n" });
    await run(["chat", "--session", "changes", `/call write_file ${args}`]);
    expect(readFileSync(file, "utf8")).toBe("one\n");
    const list = await run(["changes", "--session", "changes"]);
    expect(list.stdout).toMatch(/CHANGE .*\n\S+ +\S+.* create +\+1 −0 +workspace: notes\.txt +unchanged\n/);
    const [row] = (JSON.parse((await run(["changes", "--session", "changes", "--json"])).stdout) as Json).changes;
    expect((await run(["changes", "--task", row.task_id, "--diff"])).stdout).toContain(
      "--- /dev/null\n+++ b/notes.txt\n@@ -0,0 +1 @@\n+one\n",
    );
    const asked = await run(["changes", "undo", "--task", row.task_id]);
    expect(asked).toMatchObject({
      code: EXIT.ok,
      stdout: expect.stringMatching(/WOULD BE\nworkspace: notes\.txt +removed/),
    });
    expect([asked.stderr, readFileSync(file, "utf8")]).toEqual(["Nothing was changed: --yes does it.\n", "one\n"]);
    writeFileSync(file, "theirs\n");
    const conflict = await run(["changes", "undo", row.id, "--yes"]);
    expect(conflict).toMatchObject({
      code: EXIT.failed,
      stdout: expect.stringContaining("conflict: it was changed since"),
    });
    writeFileSync(file, "one\n");
    expect((await run(["changes", "undo", row.id, "--yes"])).stdout).toMatch(/IS\nworkspace: notes\.txt +removed/);
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
    for (const wrong of [
      ["changes"],
      ["changes", "undo"],
      ["changes", "undo", "x", "--task", "y"],
      ["changes", "redo"],
    ])
      expect((await run(wrong)).code).toBe(EXIT.usage);
    expect((await run(["changes", "undo", "none", "--yes"])).code).toBe(EXIT.failed);
  });
});
