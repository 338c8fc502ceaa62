/** Uses a secrets manager: redacts the fetched values, and applies changed ones. */
import type { Logging } from "../logging/index.ts";
import type { LiveSettings, ServerSettings } from "../settings/index.ts";
import type { ServiceSecrets } from "./open-secrets.ts";

/** Maximum number of former values that are still redacted. */
const MAX_SECRETS = 2_000;

/**
 * Every secret known now, and those fetched before (S5). Called at each use of the redactor, so the list is built
 * again only when one of its sources has.
 */
export function knownSecrets(
  settings: Pick<ServerSettings, "secrets">,
  { manager }: Pick<ServiceSecrets, "manager">,
): () => readonly string[] {
  let declared = settings.secrets;
  let fetched = manager.values();
  let known = [...new Set([...declared, ...fetched])];
  return () => {
    if (settings.secrets !== declared || manager.values() !== fetched) {
      declared = settings.secrets;
      fetched = manager.values();
      known = [...new Set([...declared, ...fetched, ...known])].slice(
        0,
        Math.max(MAX_SECRETS, declared.length + fetched.length),
      );
    }
    return known;
  };
}

/**
 * Starts refreshing: changed values become settings, and a reload of the configuration fetches
 * again (B71). Returns a function that stops it.
 */
export function followSecrets(secrets: ServiceSecrets, live: LiveSettings, logger: Logging["logger"]): () => void {
  const { manager } = secrets;
  let applying = false;

  function apply(): void {
    applying = true;
    try {
      const outcome = live.reload(manager.environment());
      if (!outcome.ok)
        logger.error(`the fetched values are refused and the running settings stay: ${outcome.rejected.reason}`);
    } finally {
      applying = false;
    }
  }
  const unsubscribe = live.subscribe(() => {
    if (applying) return;
    secrets.configure(live.settings.secrets_manager);
    void manager.sync();
  });
  secrets.attach({
    info: (message) => logger.info(message),
    warn: (message) => logger.warn(message),
    changed: apply,
  });
  return () => {
    unsubscribe();
    manager.stop();
  };
}
