/**
 * The process that is killed: the service as `agent-service` composes it, with the proof's tools added and kill moments
 * armed. It tells its parent over the process channel where it listens, and, when asked, that nothing runs any more.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { compose, loadServerSettings } from "../../apps/server/src/index.ts";
import type { SelfKill } from "./kill-moment.ts";
import { proofTools } from "./proof-tools.ts";

/** What the process says. */
export type ServiceReport =
  | { readonly kind: "ready"; readonly url: string }
  | { readonly kind: "idle"; readonly open: readonly string[] };

const env = process.env;
const kill = JSON.parse(env.PROOF_KILL ?? "null") as SelfKill | null;
const reached = { commit: 0, tool: 0 };

function hit(kind: SelfKill["kind"], side: SelfKill["side"]): void {
  if (kill?.kind !== kind || kill.side !== side) return;
  reached[kind]++;
  if (reached[kind] === kill.nth) process.kill(process.pid, "SIGKILL");
}

function report(message: ServiceReport): void {
  process.send?.(message);
}

const settings = loadServerSettings({ env, flags: { port: 0, ui: "none" } });
const service = await compose(settings, {
  tools: proofTools({
    deeds: env.PROOF_DEEDS ?? "",
    hit: (moment) => hit("tool", moment === "before-write" ? "before" : "after"),
  }),
  failpoints: { hit: (name) => hit("commit", name.endsWith(":before") ? "before" : "after") },
  write: (line) => process.stderr.write(line),
});

async function tellWhenIdle(): Promise<void> {
  const { core } = service;
  for (;;) {
    const { running, waiting } = core.load();
    if (running + waiting === 0) break;
    await sleep(3);
  }
  report({ kind: "idle", open: await core.journal.openTaskIds() });
}

process.on("message", () => void tellWhenIdle());
process.on("disconnect", () => process.exit(0));
report({ kind: "ready", url: service.url });
