/** The process that must keep its secrets: the service as `agent-service` composes it, with tools that tell them. */
import { readFileSync } from "node:fs";
import { compose, createLiveSettings, openSecrets } from "../../../apps/server/src/index.ts";
import { type Leaks, leakingTools } from "./leaking-tools.ts";

/** What the process says. */
export type SecretsServiceReport = { readonly kind: "ready"; readonly port: number } | { readonly kind: "stopped" };

const { PROOF_LEAKS = "", ...env } = process.env;
const flags = { port: 0, ui: "none" } as const;
const secrets = await openSecrets({ env, flags });
const live = createLiveSettings({ env: secrets.manager.environment(), flags });
const service = await compose(live, {
  secrets,
  ownsConsole: true,
  tools: leakingTools(JSON.parse(readFileSync(PROOF_LEAKS, "utf8")) as Leaks),
});

async function stop(): Promise<void> {
  service.stopAccepting();
  await service.drain(2_000);
  await service.close();
  await service.flush();
  process.send?.({ kind: "stopped" } satisfies SecretsServiceReport, () => process.disconnect());
}

process.on("message", () => void stop());
process.on("disconnect", () => process.exit(0));
process.send?.({ kind: "ready", port: service.port } satisfies SecretsServiceReport);
