/** An engine with the agent's hands in this process, on a project and a store on this disk. */
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentEngine,
  type CommandChanges,
  commandChanges,
  createAgentCore,
  defineFeature,
  Fence,
  type FileChanges,
  fileHistory,
  filesystem,
  ProjectRegistry,
  ProtectedPlaces,
  projectAt,
  runCommands,
} from "@agent-service/agent-core/host";
import { scriptedModel } from "@agent-service/agent-core/testing";
import { newHome } from "../targets.ts";

export interface BenchEngine {
  /** The folder of the one project. */
  readonly root: string;
  readonly changes: FileChanges;
  readonly db: AgentEngine["db"];
  /** Calls a tool as a turn does, without the turn: no approval, no rows of the call. */
  call(tool: string, input: object): Promise<string>;
  close(): Promise<void>;
}

/** What commands change is not looked at: they alone are measured. */
const unnoted = defineFeature({
  name: "command-changes",
  open: () => ({ begin: async () => ({ end: async () => undefined }) }) as unknown as CommandChanges,
});

/** Opens one. `notes`: what commands change is recorded. */
export async function openBenchEngine({ notes = false } = {}): Promise<BenchEngine> {
  const home = realpathSync(newHome());
  const root = join(home, "project");
  const folders = { history: join(home, "file-history"), spool: join(home, "spool") };
  for (const folder of [root, ...Object.values(folders)]) mkdirSync(folder);
  const registry = new ProjectRegistry([projectAt({ name: "bench", path: root, write: true })]);
  const places = new ProtectedPlaces(Object.values(folders));
  const fence = new Fence({ projects: () => registry, places: () => places });
  const commands = { inherited: process.env, userHome: home, sandbox: () => undefined, isOpen: () => false };
  const core = await createAgentCore({
    store: `file:${join(home, "agent.db")}`,
    model: { model: scriptedModel(() => "done"), name: "scripted" },
    features: [
      filesystem({ fence }),
      fileHistory({ folder: folders.history }),
      notes ? commandChanges({ folder: join(folders.history, "notes"), inherited: process.env }) : unnoted,
      runCommands({ ...commands, spool: folders.spool }),
    ],
  });
  let calls = 0;
  return {
    root,
    changes: core.features["file-history"].changes,
    db: core.db,
    async call(name, input) {
      const tool = core.toolbox.get(name);
      if (tool === undefined) throw new Error(`there is no ${name}`);
      const caller = { class: "operator", unattended: false, incognito: false, bypass: false, tainted: false };
      const context = { callId: `call-${++calls}`, taskId: "bench", contextId: "bench", caller };
      const more = { signal: new AbortController().signal, now: () => new Date(), progress() {}, earlierAnswers: [] };
      return (await tool.run(input, { ...context, ...more } as never)) as string;
    },
    async close() {
      await core.stop({ graceMs: 0 });
      rmSync(home, { recursive: true, force: true });
    },
  };
}
