/** The command `agent-service` as a process of its own (N3, R10, R12, S8, A18). */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type TemporaryFolders, temporaryFolders, textOf, textParams } from "../testing/index.ts";
import { type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from "../testing/service-process.ts";

const processes: ServiceProcess[] = [];
const kept: TemporaryFolders[] = [];
afterEach(async () => {
  for (const one of processes.splice(0)) await one[Symbol.asyncDispose]();
  for (const folders of kept.splice(0)) folders.remove();
});

function start(options?: ServiceProcessOptions): ServiceProcess {
  const child = startServiceProcess(options);
  processes.push(child);
  return child;
}

function folders(yaml?: string): TemporaryFolders {
  const made = temporaryFolders(yaml);
  kept.push(made);
  return made;
}

/** Starts what cannot start: one line on standard error, nothing on standard output, exit code 1. Returns the line. */
async function refused(options: ServiceProcessOptions): Promise<string> {
  const { code, stdout, stderr } = await start(options).ended;
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^agent-service: [^\n]+\n$/);
  return stderr;
}

/** Every file below a folder, as paths within it. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();

describe("a first run", () => {
  it("copies the example configuration, prints what to do next, and writes only to its two folders", async () => {
    const child = start({ env: { SVC_MODEL: "" } });
    const url = await child.ready;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(textOf(await (await child.wire()).say('/call calculator {"expression":"6*7"}'))).toContain("42");
    child.signal("SIGTERM");
    const { code, stdout, stderr } = await child.ended;
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ {2}model +\S+ \(not a language model\)$/m);
    expect(stdout).toMatch(
      /^ {2}next +connect a language model: providers and model\.name in .*agent-config\.yaml\n +or agent-service connect; no restart is needed$/m,
    );
    expect(stdout).toContain(join(child.folders.home, ""));
    const written = filesIn(child.folders.root);
    expect(written).toContain("config/agent-config.yaml");
    expect(written.every((path) => /^(home|config)\//.test(path))).toBe(true);
    expect(readFileSync(join(child.folders.config, "agent-config.yaml"), "utf8")).toContain("providers:");
  });

  it("starts from any working directory, which it leaves alone, and a second run keeps the edited file", async () => {
    const own = folders('identity: { name: "Ada" }\nmodel: { name: "scripted:demo" }\n');
    const elsewhere = join(own.root, "elsewhere");
    mkdirSync(elsewhere);
    const child = start({ folders: own, cwd: elsewhere, env: { SVC_MODEL: "" } });
    const card = await (await fetch(`${await child.ready}/.well-known/agent.json`)).json();
    expect(card.name).toBe("Ada");
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readFileSync(join(own.config, "agent-config.yaml"), "utf8")).toMatch(/^identity: \{ name: "Ada" \}\n/);
  });
});

describe("a start that cannot be", () => {
  it("names the port that is in use", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const own = folders();
    const args = ["--port", String(port)];
    expect(await refused({ folders: own, args })).toContain(`port ${port} on 127.0.0.1 is in use`);
    await new Promise((resolve) => taken.close(resolve));
    // The store was given back: nothing is in the way of the next start.
    expect(await start({ folders: own, args }).ready).toContain(String(port));
  });

  it("names the store that cannot be written", async () => {
    const own = folders();
    const folder = join(own.root, "a-folder.db");
    mkdirSync(folder);
    own.configure(`checkpoint: { db_path: "${folder}" }\n`);
    expect(await refused({ folders: own })).toContain("a-folder.db");
    writeFileSync(join(own.root, "text.db"), "no database at all ".repeat(100));
    own.configure(`checkpoint: { db_path: "${own.root}/text.db" }\n`);
    expect(await refused({ folders: own })).toContain("text.db");
    // Opening this one would wait for a reader.
    execFileSync("mkfifo", [join(own.root, "a-pipe.db")]);
    own.configure(`checkpoint: { db_path: "${own.root}/a-pipe.db" }\n`);
    expect(await refused({ folders: own })).toContain("a-pipe.db");
  });

  it("continues in the home where the store's folder cannot be made, and warns", async () => {
    const own = folders();
    writeFileSync(join(own.root, "a-file"), "");
    own.configure(`checkpoint: { db_path: "${own.root}/a-file/below/store.db" }\n`);
    const child = start({ folders: own });
    expect(textOf(await (await child.wire()).say("/say hello"))).toBe("hello");
    child.signal("SIGTERM");
    const { code, stdout } = await child.ended;
    expect(code).toBe(0);
    const home = join(own.home, "checkpoints.db");
    const warning = `agent-config.yaml:1: checkpoint.db_path: the folder of ${own.root}/a-file/below/store.db cannot be made (ENOTDIR)`;
    expect(stdout).toContain(`${warning}; ${home} is used instead`);
    expect(filesIn(own.home)).toContain("checkpoints.db");
    own.configure('checkpoint: { db_path: "/proc/none/y.db" }\n');
    const again = start({ folders: own });
    await again.ready;
    again.signal("SIGTERM");
    expect((await again.ended).stdout).toMatch(/the folder of \/proc\/none\/y\.db cannot be made .*is used instead/);
  });

  it("ends at a signal whatever it waits for", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const asked = once(silent, "connection");
    const child = start({ folders: folders(`checkpoint: { db_path: "http://127.0.0.1:${port}" }\n`) });
    await asked;
    child.signal("SIGTERM");
    expect(await child.ended).toMatchObject({ code: "SIGTERM" });
    silent.close();
  });

  it("names file and line of broken YAML, and of a wrong value where that refuses the start (S8)", async () => {
    const own = folders("model:\n  name: [unclosed\n");
    expect(await refused({ folders: own })).toMatch(/agent-config\.yaml.*\b[23]\b/);
    own.configure("auth:\n  token: { a: 1 }\n");
    expect(await refused({ folders: own })).toMatch(/agent-config\.yaml.*2.*auth\.token/);
  });

  it("names the process that owns the store (R12)", async () => {
    const own = folders();
    const first = start({ folders: own });
    await first.ready;
    expect(await refused({ folders: own })).toMatch(new RegExp(`\\b${first.pid}\\b`));
    expect(textOf(await (await first.wire()).say("/say unharmed"))).toBe("unharmed");
  });

  it("requires a token before it listens beyond loopback", async () => {
    expect(await refused({ args: ["--host", "0.0.0.0", "--port", "0"] })).toMatch(/A2A_AUTH_TOKEN/);
    const allowed = start({ args: ["--host", "0.0.0.0", "--port", "0"], env: { A2A_AUTH_TOKEN: "t" } });
    const wire = await allowed.wire({ authorization: "Bearer t" });
    expect(textOf(await wire.say("/say ok"))).toBe("ok");
  });

  it("requires a model where there is no console to choose one (R10)", async () => {
    expect(await refused({ env: { SVC_UI: "none", SVC_MODEL: "" } })).toMatch(/no model is configured/);
  });
});

describe("--setup", () => {
  it("validates, marks setup complete, confirms it and exits 0; what is invalid is one line and exit code 1", async () => {
    const own = folders('model: { name: "scripted:demo" }\n');
    const { code, stdout, stderr } = await start({ folders: own, args: ["--setup"] }).ended;
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`setup is complete: ${join(own.config, "agent-config.yaml")} is valid\n`);
    expect(filesIn(own.root)).toEqual(["config/.setup-complete", "config/agent-config.yaml"]);
    own.configure("auth: { token: [] }\n");
    expect(await refused({ folders: own, args: ["--setup"] })).toContain("auth.token");
  });

  it("makes the checks of a start: it refuses what one refuses, marks nothing then, and prints what one warns of", async () => {
    const empty = folders();
    const env = { SVC_MODEL: "" };
    for (const ui of ["none", "console"])
      expect(await refused({ folders: empty, args: ["--setup", "--ui", ui], env })).toContain("no model is configured");
    expect(filesIn(empty.root)).not.toContain("config/.setup-complete");
    const own = folders('model: { name: "scripted:demo", temperature: hot }\n');
    expect(await refused({ folders: own, args: ["--setup", "--host", "0.0.0.0"] })).toContain("A2A_AUTH_TOKEN");
    expect(filesIn(own.root)).not.toContain("config/.setup-complete");
    const { code, stdout } = await start({ folders: own, args: ["--setup"] }).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/with these warnings:\n.*agent-config\.yaml.*model\.temperature: expected number/);
  });
});

describe("a signal", () => {
  it("lets a running turn finish, takes no new one meanwhile, and ends with 0", async () => {
    const child = start();
    const wire = await child.wire();
    const stream = await wire.stream("message/stream", textParams("/say begun\n/wait 400\n/say finished"));
    await stream.until((frame) => frame.kind === "artifact-update");
    child.signal("SIGTERM");
    await child.prints("stopping");
    const last = (await stream.rest()).at(-1)?.frame;
    expect(last).toMatchObject({ final: true, status: { state: "completed" } });
    expect((await child.ended).code).toBe(0);
  });

  it("ends a turn that outlasts the grace as a restart would (A18), and its stream reports it", async () => {
    const own = folders();
    const child = start({ folders: own, drainMs: 100 });
    const wire = await child.wire();
    const stream = await wire.stream("message/stream", textParams("/say begun\n/wait 60000"));
    const { frame } = await stream.until((one) => one.kind === "artifact-update");
    child.signal("SIGINT");
    const last = (await stream.rest()).at(-1)?.frame;
    expect(last).toMatchObject({ final: true, status: { state: "failed" } });
    expect((await child.ended).code).toBe(0);
    const again = start({ folders: own });
    const task = await (await again.wire()).result("tasks/get", { id: frame.taskId });
    expect(task.status).toEqual(last?.status);
    expect(task.status.message.parts[0].text).toMatch(/restart/);
  });

  it("with on_restart resume the turn continues in the next process", async () => {
    const own = folders('model: { name: "scripted:demo" }\ncheckpoint: { on_restart: resume }\n');
    const child = start({ folders: own, drainMs: 50 });
    const script = "/call current_time {}\n/then\n/wait 700\n/say Resumed.";
    const stream = await (await child.wire()).stream("message/stream", textParams(script));
    const { frame } = await stream.until(({ metadata }) => JSON.stringify(metadata ?? {}).includes('"completed"'));
    child.signal("SIGTERM");
    expect((await child.ended).code).toBe(0);
    const again = start({ folders: own });
    const wire = await again.wire();
    const rest = await wire.stream("tasks/resubscribe", { id: frame.taskId, metadata: { after: 1 } });
    expect((await rest.rest()).at(-1)?.frame).toMatchObject({ final: true, status: { state: "completed" } });
    expect(textOf(await wire.result("tasks/get", { id: frame.taskId }))).toBe("Resumed.");
  });

  it("a second one ends it at once", async () => {
    const child = start();
    const stream = await (await child.wire()).stream("message/stream", textParams("/wait 60000"));
    await stream.next();
    child.signal("SIGTERM");
    await child.prints("stopping");
    child.signal("SIGTERM");
    expect((await child.ended).code).toBe(143);
    await stream.close().catch(() => {});
  });
});

describe("the log", () => {
  it("as JSON keeps standard output to itself: every line is a record, and no secret is in it", async () => {
    const child = start({ env: { LOG_FORMAT: "json", LOG_LEVEL: "DEBUG", A2A_AUTH_TOKEN: "operator-secret-token" } });
    await child.prints("A2A_ALLOWED_ORIGINS");
    child.signal("SIGTERM");
    const { stdout } = await child.ended;
    const lines = stdout.trimEnd().split("\n");
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), level: expect.any(String) });
    expect(stdout).not.toContain("operator-secret-token");
  });
});

describe("config explain", () => {
  const explain = (made: TemporaryFolders, ...key: string[]) =>
    start({
      args: ["config", "explain", ...key],
      folders: made,
      env: { SVC_MODEL: "", A2A_AUTH_TOKEN: "hunter2-token" },
    }).ended;

  it("prints each setting and where it comes from, shows no secret and writes nothing", async () => {
    const made = folders("model:\n  temperature: 0.5\n");
    const one = await explain(made, "model.temperature");
    expect([one.code, one.stdout]).toEqual([0, `model.temperature = 0.5  ${made.config}/agent-config.yaml:2\n`]);
    const all = await explain(made);
    expect(all.stdout).toMatch(/auth\.token = \(secret, set\) +environment variable A2A_AUTH_TOKEN/);
    expect(all.stdout).not.toContain("hunter2");
    const { values } = JSON.parse((await explain(made, "--json")).stdout);
    expect(values).toContainEqual({
      ...{ key: "model.temperature", value: 0.5, secret: false, is_set: true, layer: "agent" },
      source: `${made.config}/agent-config.yaml:2`,
    });
    expect(JSON.stringify(values)).not.toContain("hunter2");
    expect(filesIn(made.root)).toEqual(["config/agent-config.yaml"]);
  });

  it("reports that a key is unknown, or a file broken, in one line", async () => {
    const made = folders("model: [\n");
    expect((await explain(made)).stderr).toMatch(/^agent-service: .*agent-config\.yaml:\d: [^\n]+\n$/);
    const unknown = await explain(folders("{}"), "model.nothing");
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toBe('agent-service: there is no setting "model.nothing" (config explain lists all)\n');
  });
});
