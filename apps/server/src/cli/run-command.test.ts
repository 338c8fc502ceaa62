import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";

const module = JSON.stringify(new URL("run-command.ts", import.meta.url).href);
const errors = JSON.stringify(new URL("startup-error.ts", import.meta.url).href);

/** Runs the command in a process of its own, with a program given as source text. */
function run(args: readonly string[], program: string) {
  const source = `import { runCommand } from ${module}; import { StartupError } from ${errors};
    const alive = setInterval(() => {}, 1_000);
    const service = {
      banner: "up\\n",
      log: { info: (m) => console.error("info", m), error: (f, m) => console.error("error", m, String(f.err)) },
      stopAccepting: () => console.log("stop"),
      drain: async (ms) => console.log("drain", ms),
      close: async () => console.log("close"),
      flush: async () => console.log("flush"),
    };
    await runCommand(process.argv.slice(1), async () => (${program}),
      async () => ({
        commandList: () => ({ text: "  status  what it does\\n", json: { commands: [] } }),
        runClient: async (args) => { console.log("client", ...args); return 3; },
      }));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source, "--", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    out.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    out.stderr += chunk.toString();
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code: code ?? signal, ...out }));
  return { child, ended };
}

describe("the command", () => {
  it("prints help and version without loading the service", async () => {
    const program = `(() => { throw new Error("loaded"); })()`;
    const help = await run(["--help"], program).ended;
    expect([help.code, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain("--port <number>");
    expect(help.stdout).toContain("\n  status  what it does\n");
    const version = await run(["--version"], program).ended;
    expect([version.code, version.stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it("hands commands that talk to a service over, and ends with their code, without loading the service", async () => {
    const program = `(() => { throw new Error("loaded"); })()`;
    const { code, stdout } = await run(["config", "get", "model.name"], program).ended;
    expect([code, stdout]).toEqual([3, "client config get model.name\n"]);
  });

  it("ends with one line and code 2 for a wrong command line", async () => {
    const { code, stdout, stderr } = await run(["--prot", "1"], "{}").ended;
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^agent-service: unknown option '--prot'[^\n]*\n$/);
  });

  it("ends with one line and code 1 when the service cannot start", async () => {
    const program = `{ startService: async () => { throw new StartupError("config-invalid", "agent-config.yaml line 3:\\n bad indentation"); } }`;
    const { code, stdout, stderr } = await run([], program).ended;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe("agent-service: agent-config.yaml line 3: bad indentation\n");
  });

  it("shows the stack of an unexpected error", async () => {
    const { code, stderr } = await run([], `{ startService: async () => { throw new TypeError("oops"); } }`).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agent-service: unexpected error while starting: TypeError: oops\n {4}at /);
  });

  it("writes JSON with --json: what is printed, and what went wrong with its code and the exit code", async () => {
    const program = `{
      completeSetup: async () => ({ text: "done\\n", json: { setup_complete: true } }),
      explainConfig: async (flags, key) => { if (key === "no.key") throw new StartupError("usage", "no such key"); throw new TypeError("oops"); },
    }`;
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run([...args, "--json"], program).ended;
      const [value, failure] = [stdout, stderr].map((text) => (text === "" ? undefined : JSON.parse(text)));
      return { code, value, error: failure?.error };
    };
    const results = await Promise.all([
      json("--version"),
      json("--setup"),
      json("--help"),
      json("--prot", "1"),
      json("config", "explain", "no.key"),
      json("config", "explain"),
      json(),
    ]);
    expect(results).toMatchObject([
      { code: 0, value: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) } },
      { code: 0, value: { setup_complete: true } },
      { code: 0, value: { usage: expect.stringContaining("--port <number>"), commands: [] } },
      { code: 2, error: { code: "usage", message: expect.stringContaining("--prot"), exit_code: 2 } },
      { code: 2, error: { code: "usage", message: "no such key", exit_code: 2 } },
      { code: 1, error: { code: "internal", message: expect.stringContaining("oops"), exit_code: 1 } },
      { code: 2, error: { code: "usage", message: expect.stringContaining("LOG_FORMAT=json") } },
    ]);
  });

  it("completes setup and exits", async () => {
    const program = `{ completeSetup: async (flags) => ({ text: "setup complete " + flags.ui + "\\n" }) }`;
    const { code, stdout } = await run(["--setup", "--ui", "none"], program).ended;
    expect([code, stdout]).toEqual([0, "setup complete none\n"]);
  });

  it("runs until SIGTERM, drains, and exits 0", async () => {
    const { child, ended } = run(["--port", "0"], "{ startService: async () => service }");
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    const { code, stdout } = await ended;
    expect([code, stdout]).toEqual([0, "up\nstop\ndrain 10000\nclose\nflush\n"]);
  });

  it("ends at once on the second signal", async () => {
    const program = `{ startService: async () => ({ ...service, drain: () => { console.log("draining"); return new Promise(() => {}); } }) }`;
    const { child, ended } = run([], program);
    child.stdout.on("data", (chunk: Buffer) => {
      if (/up|draining/.test(chunk.toString())) child.kill("SIGINT");
    });
    expect((await ended).code).toBe(130);
  });

  it("logs an uncaught error and exits 1", async () => {
    const program = `{ startService: async () => { setTimeout(() => { throw new Error("boom"); }, 10); return service; } }`;
    const { code, stderr, stdout } = await run([], program).ended;
    expect(code).toBe(1);
    expect(stderr).toContain("error uncaught exception: ending Error: boom");
    expect(stdout).toContain("flush");
  });
});
