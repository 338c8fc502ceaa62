/** Runs hostile scripts as calls of turns, and looks at everything that none of them may touch. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { codeRun, createAgentCore, executeCodeSection, openStore } from "../../../packages/agent-core/src/host.ts";
import { scriptedModel } from "../../../packages/agent-core/src/testing/index.ts";
import { type AnyTool, defineTool, type SettingsSection } from "../../../packages/plugin-sdk/src/index.ts";
import type { HostileScript } from "./hostile-scripts.ts";

/** What came of a run. */
export interface HostileReport {
  readonly ended: number;
  /** Calls that scripts made of the tools they may call. */
  readonly calls: number;
  /** The longest time that the service's loop was held, milliseconds. */
  readonly heldMs: number;
  readonly slowestMs: number;
  readonly violations: readonly string[];
}

/** The settings of a run. */
export interface HostileOptions {
  /** Seconds after which scripts are ended that go on until they are. */
  readonly seconds: number;
  /** Tools that scripts may call. Default: those that are no canary. */
  readonly tools?: readonly string[];
}

/** Seconds for those that end by themselves, however slow the machine is. */
const PATIENCE = 120;
const MOST_CHARS = 3000;
const SECRET = "canary-7f3a-never-read";

/** What no script may reach, and how often it was. */
class Canaries {
  readonly folder = mkdtempSync(join(tmpdir(), "proof-scripts-"));
  readonly file = join(this.folder, "canary.txt");
  readonly reached: string[] = [];
  calls = 0;
  readonly #server = createServer((_, response) => {
    this.reached.push("the network");
    response.end(SECRET);
  });

  async open(): Promise<void> {
    writeFileSync(this.file, SECRET);
    process.env.PROOF_SECRET = SECRET;
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  tools(): readonly AnyTool[] {
    const tool = (name: string, run: () => unknown, more: Partial<AnyTool> = {}): AnyTool =>
      defineTool({ name, description: name, input: v.looseObject({}), effect: "pure", run: run as never, ...more });
    return [
      tool("allowed", () => {
        this.calls++;
        return { ok: true };
      }),
      tool("slow", () => new Promise(() => {})),
      tool("forbidden", () => {
        this.reached.push("a tool that settings leave out");
        return SECRET;
      }),
    ];
  }

  close(): void {
    if (readFileSync(this.file, "utf8") !== SECRET) this.reached.push("the file");
    delete process.env.PROOF_SECRET;
    this.#server.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Runs them one after the other. */
export async function runHostileScripts(
  scripts: readonly HostileScript[],
  { seconds, tools = ["allowed", "slow"] }: HostileOptions,
): Promise<HostileReport> {
  const canaries = new Canaries();
  await canaries.open();
  let timeout = seconds;
  const settings = (section: SettingsSection) =>
    v.parse(
      section.schema,
      section.name === executeCodeSection.name ? { enabled: true, timeout, tools, output_truncate: MOST_CHARS } : {},
    );
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "tool") return `execute_code returned: ${last.text}`;
    const text = last?.role === "user" && last.content[0]?.kind === "text" ? last.content[0].text : "";
    return [{ call: { name: "execute_code", args: { code: text } } }];
  });
  const core = await createAgentCore({
    store: openStore({ url: ":memory:", owner: { name: "proof" } }),
    model: { model, name: "scripted" },
    tools: canaries.tools(),
    features: [codeRun],
    settings,
  });
  const violations: string[] = [];
  const sums = { ended: 0, heldMs: 0, slowestMs: 0 };
  let before = performance.now();
  const loop = setInterval(() => {
    sums.heldMs = Math.max(sums.heldMs, performance.now() - before - 5);
    before = performance.now();
  }, 5);
  try {
    for (const { kind, code, reads, endless } of scripts) {
      timeout = endless === true ? seconds : PATIENCE;
      const blame = (what: string): void =>
        void violations.push(`${kind} ${JSON.stringify(code.slice(0, 100))}: ${what}`);
      const begun = performance.now();
      const task = await core.tasks.start({
        text: code.replace("{canary}", canaries.file).replace("{url}", canaries.url),
      });
      await task.settled();
      sums.slowestMs = Math.max(sums.slowestMs, performance.now() - begun);
      const answer = task.view.answer?.map((part) => (part.kind === "text" ? part.text : "")).join("") ?? "";
      if (task.view.state !== "completed") blame(`the turn is ${task.view.state}`);
      if (answer.includes(SECRET)) blame("the secret was read");
      if (answer.length > MOST_CHARS + 100) blame(`the result has ${answer.length} characters`);
      if (reads !== undefined && !reads.test(answer)) blame(`the model reads ${JSON.stringify(answer.slice(0, 300))}`);
      for (const what of canaries.reached.splice(0)) blame(`${what} was reached`);
      for (let waited = 0; core.processes.running > 0 && waited < 500; waited++) await sleep(10);
      if (core.processes.running > 0) blame("its process runs on");
      sums.ended++;
    }
  } finally {
    clearInterval(loop);
    await core.stop();
    canaries.close();
  }
  violations.push(...canaries.reached.map((what) => `${what} was reached`));
  return { ...sums, calls: canaries.calls, violations };
}
