/** The entries through HTTP, the settings, the agent's tool and the command line. */
import { expect, it } from "vitest";
import { runClientCommand } from "../../client-commands/index.ts";
import { startTestService } from "../../testing/test-service.ts";

async function ask(url: string, method: string, body?: unknown, key?: string) {
  const response = await fetch(`${url}/api/example-note`, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as { entries: { text: string }[] } };
}

/** Runs `agent-service example-note …` as a script does. */
async function command(url: string, ...args: readonly string[]) {
  const out = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof out) => ({
    write(text: string) {
      out[name] += text;
    },
    terminal: false,
    columns: 80,
  });
  const code = await runClientCommand(["example-note", ...args, "--url", url], {
    ...{ env: { NO_COLOR: "1" }, stdout: sink("stdout"), stderr: sink("stderr") },
    ...{ keyboard: undefined, piped: undefined, checkoutRoot: undefined },
    onInterrupt: () => () => {},
    pause: async () => {},
  });
  return { code, ...out };
}

it("keeps what operators and the agent add, each request once, up to example_note.max_entries", async () => {
  await using running = await startTestService({ config: "example_note: { max_entries: 3 }\n" });
  const { url } = running;
  for (let again = 0; again < 2; again++) expect((await ask(url, "POST", { text: "one" }, "k")).status).toBe(201);
  await running.wire.say('/call add_example_note {"text":"two"}');
  expect((await command(url, "add", "three")).code).toBe(0);
  expect((await ask(url, "POST", { text: "four" })).status).toBe(409);
  expect((await ask(url, "GET")).body.entries.map(({ text }) => text)).toEqual(["three", "two", "one"]);
  expect((await command(url)).stdout).toMatch(/three.*two.*one/s);
  expect(await command(url, "odd")).toMatchObject({ code: 2, stdout: "" });
});
