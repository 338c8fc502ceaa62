/** "Done when" of the hands on the command line: every command is a process of its own, as a person starts it. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../process/run.ts";
import { SAYS } from "./hands-model.ts";
import type { Place } from "./place.ts";
import { NOTICE } from "./repository.ts";

const PROGRAM = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));
const SESSION = "notice";

/** Walks through it. `keep` gets what each step printed, by the name of its block in the guide. */
export async function onTheCommandLine(place: Place, keep: (block: string, text: string) => void): Promise<void> {
  const step = async (block: string, ...commands: readonly (readonly string[])[]): Promise<string> => {
    const shown: string[] = [];
    for (const command of commands) {
      const output = await agentService(place, command);
      shown.push(`$ agent-service ${command.map(quoted).join(" ")}\n${output}`);
    }
    const text = place.named(shown.join("\n"));
    keep(block, text.trimEnd());
    return text;
  };
  const file = (path: string): string => join(place.clones, "figures", path);
  const waiting = async (): Promise<string> => {
    const { approvals } = JSON.parse(await agentService(place, ["approvals", "--json"])) as {
      readonly approvals: readonly { readonly id: string }[];
    };
    assert.equal(approvals.length, 1, "one call waits");
    return approvals[0]!.id;
  };
  const ended = async (text: string): Promise<string> => {
    const [, task = ""] = /task (\S+) is/.exec(text) ?? [];
    for (;;) {
      const { state } = JSON.parse(await agentService(place, ["tasks", "show", task, "--json"])) as { state: string };
      if (state === "completed") return task;
      assert.match(state, /submitted|working|running/, "the task goes on");
    }
  };

  const cloned = await step("clone", ["projects", "clone", place.repository, "--access", "write"], ["projects"]);
  assert.match(cloned, /figures/);
  await step("edit", ["chat", "--session", SESSION, SAYS.spelling], ["diff", "figures"]);
  assert.match(readFileSync(file("README.md"), "utf8"), /lists of numbers/);

  await step("tests-wait", ["chat", "--session", SESSION, SAYS.tests], ["approvals"]);
  const tests = await step("tests-approve", ["approvals", "approve", await waiting()]);
  const testing = await ended(tests);
  assert.match(await step("tests-answer", ["tasks", "show", testing]), /All 3 tests pass/);

  await step("script-wait", ["chat", "--session", SESSION, SAYS.notice], ["approvals"]);
  await place.kill();
  await place.start();
  const prompt = await waiting();
  await step("script-restarted", ["approvals"]);
  const task = await ended(await step("script-approve", ["approvals", "approve", prompt]));
  assert.match(await step("script-answer", ["tasks", "show", task]), /30 modules have the new notice/);
  assert.equal(existsSync(file("OWNERS")), false);

  await step("changes", ["changes", "--task", task, "--limit", "5"]);
  const { changes } = JSON.parse(
    await agentService(place, ["changes", "--task", task, "--limit", "100", "--json"]),
  ) as {
    readonly changes: readonly { readonly id: string; readonly path: string }[];
  };
  const ids = new Map(changes.map(({ id, path }) => [path, id]));
  assert.deepEqual([changes.length, ids.size], [31, 31], "each file is changed once");

  appendFileSync(file("src/sum.js"), "// What about an empty list?\n");
  const chosen = ["src/add.js", "src/average.js", "src/sum.js"].map((path) => ids.get(path)!);
  const undone = await step("undo", ["changes", "undo", ...chosen, "--yes"]);
  assert.match(
    undone,
    /src\/sum\.js +conflict: it was changed since[\s\S]*src\/average\.js +restored[\s\S]*src\/add\.js +restored/,
  );
  const holds = (path: string): string => readFileSync(file(path), "utf8");
  for (const path of ["src/add.js", "src/average.js"]) assert.match(holds(path), new RegExp(NOTICE.before));
  assert.match(holds("src/sum.js"), new RegExp(`^// ${NOTICE.after}\\n.*\\n// What about an empty list`));
}

function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word}'`;
}

/** What the command line prints, as where nothing is typed; what it ends with does not matter. */
async function agentService(place: Place, args: readonly string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const program = ["--conditions=@agent-service/source", PROGRAM, ...args];
  return (await run(process.execPath, program, { cwd: "/", env: { PATH, HOME, ...place.env } })).output;
}
