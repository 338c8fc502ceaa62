/** Edits of files while the service runs take effect, or are refused with a reason (S8). */
import type { Clock } from "@agent-service/agent-core/host";
import { watchConfig } from "@agent-service/config";
import type { Logging } from "../logging/index.ts";
import type { LiveSettings } from "./live-settings.ts";

/** Follows the files of the configuration. Returns a function that ends it. */
export function followChanges(
  live: LiveSettings,
  { logger }: Pick<Logging, "logger">,
  { clock, persona }: { readonly clock: Clock; readonly persona: { reload(): unknown } },
): () => void {
  const { configFile, secretsFile, hostFile, soulFile, home } = live.settings.paths;
  const unsubscribe = live.subscribe(({ changed, warnings, repaired }) => {
    for (const warning of warnings) logger.warn(warning);
    if (repaired) logger.info("the configuration is accepted again");
    if (changed.length === 0) return;
    logger.info(`the configuration changed: ${changed.join(", ")}`);
    const waiting = live.restartRequired();
    if (waiting.length > 0) logger.warn(`these settings wait for a restart: ${waiting.join(", ")}`);
  });
  const unwatch = watchConfig({
    files: [configFile, secretsFile, hostFile, soulFile],
    // The stores are there.
    busyFolders: [home],
    timers: clock,
    onChange() {
      persona.reload();
      const outcome = live.reload();
      if (!outcome.ok)
        logger.error(`the changed configuration is refused, what ran runs on: ${outcome.rejected.reason}`);
    },
  });
  return () => {
    unwatch();
    unsubscribe();
  };
}
