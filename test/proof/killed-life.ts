import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { KillMoment } from "./kill-moment.ts";
import type { LivingTrial } from "./run-lives.ts";
import type { TrialContext } from "./run-trial.ts";
import { type ServiceLife, startLife, type TrialFolder } from "./service-life.ts";
import { LostError } from "./wire.ts";

/** Milliseconds after which a life is killed that does not reach the moment it was to be killed at. */
const LIFE_MS = 6_000;

/** A trial whose lives are killed while clients work with them. */
export interface KilledTrial extends LivingTrial {
  readonly folder: TrialFolder & { readonly root: string; readonly variables: { [name: string]: string } };
  readonly context: TrialContext;
  /** What a service may not write into its log. */
  readonly complaint: RegExp;
  /** Milliseconds after which a life is killed that does not reach its moment. Default: 4 seconds. */
  readonly lifeMs?: number;
  /** Lives that ended at the very commit they were to end at. */
  reached: number;
}

/** Makes the folders of a trial. `settings` is YAML beside those of the store. */
export function newTrialFolder(
  root: string,
  { onRestart, settings, speed }: { readonly onRestart: string; readonly settings: string; readonly speed?: number },
): KilledTrial["folder"] {
  const folder = {
    ...{ root, home: `${root}/home`, config: `${root}/config`, deeds: `${root}/deeds.jsonl` },
    ...{ epoch: Date.now(), variables: {}, ...(speed !== undefined && { speed }) },
  };
  mkdirSync(`${folder.home}/workspace`, { recursive: true });
  mkdirSync(folder.config);
  const store = `checkpoint:\n  db_path: ${root}/agent.db\n  on_restart: ${onRestart}\n`;
  writeFileSync(`${folder.config}/agent-config.yaml`, store + settings);
  return folder;
}

/** A life that is killed at a moment. `work` is what clients do until then. */
export async function killedLife(
  trial: KilledTrial,
  moment: KillMoment,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const { folder, context } = trial;
  const life = startLife(folder, moment.kind === "self" ? moment.self : undefined, context.compileCache);
  trial.life = life;
  if (moment.kind === "booting") {
    await Promise.race([sleep(moment.share * context.bootMs), life.gone]);
    life.kill();
    await keepLog(trial, life);
    return;
  }
  const url = await life.ready;
  if (url !== undefined) {
    const working = work(url).catch((error: unknown) => {
      if (!(error instanceof LostError)) throw error;
    });
    const over = new AbortController();
    const end = sleep(moment.kind === "serving" ? moment.ms : (trial.lifeMs ?? LIFE_MS), "over", {
      signal: over.signal,
    });
    const first = await Promise.race([end.catch(() => undefined), working, life.gone]);
    over.abort();
    if (moment.kind === "self" && first !== "over") trial.reached++;
    life.kill();
    await working;
  } else if (moment.kind === "self") trial.reached++;
  await keepLog(trial, life);
}

/** Keeps what a life wrote, and blames it for complaints and for an end of its own. */
export async function keepLog(
  { folder, ledger, complaint }: KilledTrial,
  life: ServiceLife,
  stopped = false,
): Promise<void> {
  const { log, killed } = await life.gone;
  if (killed === stopped) ledger.blame(`the service ${killed ? "was killed" : "ended by itself"}: ${log.slice(-2000)}`);
  writeFileSync(`${folder.root}/service.log`, log, { flag: "a" });
  for (const line of log.split("\n"))
    if (complaint.test(line)) ledger.blame(`the service complained: ${line.slice(0, 2000)}`);
}
