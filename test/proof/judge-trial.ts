import { type BackgroundFigures, checkBackground } from "./check-background.ts";
import { type CommandFigures, checkCommands } from "./check-commands.ts";
import { checkDelegation, type DelegationFigures } from "./check-delegation.ts";
import { checkMemory, type MemoryFigures } from "./check-memory.ts";
import { checkSteering } from "./check-steering.ts";
import { checkStore, type StoreFigures } from "./check-store.ts";
import { checkWebhooks, type WebhookFigures } from "./check-webhooks.ts";
import { checkWork, type WorkFigures } from "./check-work.ts";
import type { Job } from "./jobs.ts";
import { checkMcpCalls, type McpFigures } from "./kill-mcp/check-calls.ts";
import type { RemoteServers } from "./kill-mcp/remote-servers.ts";
import type { Ledger } from "./ledger.ts";
import type { Receivers } from "./receivers.ts";
import type { OnRestart, TrialFolder } from "./service-life.ts";

/** Sums over what a trial left. */
export type TrialFigures = StoreFigures &
  WebhookFigures &
  WorkFigures &
  MemoryFigures &
  BackgroundFigures &
  DelegationFigures &
  CommandFigures &
  McpFigures;

/** A trial whose last life has ended. */
export interface EndedTrial {
  readonly folder: TrialFolder & { readonly root: string; readonly effects: string };
  readonly onRestart: OnRestart;
  readonly jobs: readonly Job[];
  readonly ledger: Ledger;
  readonly receivers: Receivers;
  readonly kills: number;
  readonly servers: RemoteServers;
}

/** Looks through everything that it left; what is wrong goes into the ledger. */
export function judgeTrial({ folder, onRestart, jobs, ledger, receivers, kills, servers }: EndedTrial): TrialFigures {
  const tokens = jobs.filter((job) => job.put === undefined && job.steer === undefined).map((job) => job.token);
  const file = `${folder.root}/agent.db`;
  return {
    ...checkStore(file, folder.deeds, tokens, ledger),
    ...checkMemory(file, `${folder.home}/memories.db`, ledger),
    ...checkWork(file, `${folder.home}/issues.db`, { jobs, ledger, onRestart }),
    ...checkBackground(file, onRestart, ledger),
    ...checkDelegation(file, ledger),
    ...checkSteering(file, jobs, ledger),
    ...checkCommands(file, `${folder.home}/workspace`, ledger),
    ...checkMcpCalls(file, { effects: folder.effects, servers, ledger }),
    ...checkWebhooks(file, { jobs, receivers, ledger, kills }),
  };
}
