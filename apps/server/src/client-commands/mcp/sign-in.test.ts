/** `mcp login` and `mcp logout` against a service that runs, with the answer of a real browser's request. */
import { type AuthorizationDouble, authorizationDouble } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { type CommandIo, EXIT, runClientCommand } from "../index.ts";

let double: AuthorizationDouble;
let running: TestService;
beforeAll(async () => {
  double = await authorizationDouble();
  running = await startTestService({
    config: `mcp: {enabled: true, servers: [{name: bank, url: "${double.url}"}]}\n`,
  });
});
afterAll(async () => {
  await running?.stop();
  double?.close();
});

/** Runs a command; `open` is what the person does with the address that is printed. */
async function run(args: readonly string[], open: (address: string, interrupt: () => void) => void = () => {}) {
  const out = { stdout: "", stderr: "" };
  let isOpened = false;
  let stop = (): void => {};
  const write = (name: "stdout" | "stderr") => (text: string) => {
    out[name] += text;
    const [address] = /http:\S*\/authorize[^\s"]*/.exec(out.stdout) ?? [];
    if (address === undefined || isOpened) return;
    isOpened = true;
    open(address, () => stop());
  };
  const sink = (name: "stdout" | "stderr") => ({ write: write(name), terminal: false, columns: 100 });
  const { home, config } = running.folders;
  const io: CommandIo = {
    env: { NO_COLOR: "1", SVC_HOME: home, SVC_CONFIG_DIR: config, SVC_URL: running.url },
    ...{ stdout: sink("stdout"), stderr: sink("stderr"), keyboard: undefined, piped: undefined },
    onInterrupt(interrupted) {
      stop = interrupted;
      return () => {};
    },
    pause: (_ms, signal) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve())),
    checkoutRoot: undefined,
  };
  return { code: await runClientCommand(args, io), ...out };
}

/** The redirect of the browser: what it is shown. */
async function comeBack(address: string, change: Record<string, string> = {}): Promise<[number, string]> {
  const back = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
  back.search = new URLSearchParams({ ...double.approve(address), ...change }).toString();
  const answer = await fetch(back);
  return [answer.status, await answer.text()];
}

it("signs in with what comes to its own port, whatever else asks there, and out again", async () => {
  const shown: Promise<[number, string]>[] = [];
  const signedIn = await run(["mcp", "login", "bank"], (address) => {
    const guessed = comeBack(address, { state: "guessed" });
    shown.push(
      guessed,
      guessed.then(() => comeBack(address)),
    );
  });
  expect(signedIn).toMatchObject({ code: EXIT.ok, stdout: expect.stringMatching(/\nSigned in to bank \(.+\)\.\n$/) });
  expect(await Promise.all(shown)).toEqual([
    [400, "This is not the sign-in.\n"],
    [200, "You are signed in. This page can be closed.\n"],
  ]);
  expect(signedIn.stdout + signedIn.stderr).not.toContain("access-");
  expect(await run(["mcp", "logout", "bank"])).toMatchObject({ code: EXIT.ok, stdout: "Signed out of bank.\n" });
  expect([...double.valid]).toEqual([]);
});

it("prints an address and an outcome as JSON, a line each", async () => {
  const { code, stdout, stderr } = await run(["mcp", "login", "bank", "--json"], (address) => void comeBack(address));
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect([code, lines, stderr]).toEqual([
    ...[EXIT.ok, [{ url: expect.stringContaining("/authorize?") }, { ok: true, server: expect.any(Object) }], ""],
  ]);
  expect(JSON.parse((await run(["mcp", "logout", "bank", "--json"])).stdout)).toMatchObject({ ok: true });
});

it("ends with a sentence where the person says no, where it is interrupted, and where there is no such server", async () => {
  const denied = await run(["mcp", "login", "bank"], (address) => void comeBack(address, { error: "access_denied" }));
  expect(denied).toMatchObject({ code: EXIT.failed, stderr: expect.stringContaining("access_denied") });
  const left = await run(["mcp", "login", "bank"], (_, interrupt) => setImmediate(interrupt));
  expect(left).toMatchObject({ code: EXIT.failed, stderr: expect.stringContaining("begin it again") });
  expect(await run(["mcp", "login", "unknown"])).toMatchObject({ code: EXIT.failed });
});
