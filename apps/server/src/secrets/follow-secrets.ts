/** What the service does with its secrets manager: redact what was fetched, and put changed values to use. */
import type { Logging } from "../logging/index.ts";
import type { LiveSettings, ServerSettings } from "../settings/index.ts";
import type { ServiceSecrets } from "./open-secrets.ts";

/** Former values that stay known; beyond it the oldest are forgotten. */
const MAX_SECRETS = 2_000;

/**
 * Every secret known now, and those fetched before (S5). Asked at each use of the redactor, so the list is made
 * anew only when one of its sources has.
 */
export function knownSecrets(
  settings: Pick<ServerSettings, "secrets">,
  { manager }: Pick<ServiceSecrets, "manager">,
): () => readonly string[] {
  let told = settings.secrets;
  let fetched = manager.values();
  let known = [...new Set([...told, ...fetched])];
  return () => {
    if (settings.secrets !== told || manager.values() !== fetched) {
      told = settings.secrets;
      fetched = manager.values();
      known = [...new Set([...told, ...fetched, ...known])].slice(
        0,
        Math.max(MAX_SECRETS, told.length + fetched.length),
      );
    }
    return known;
  };
}

/**
 * Lets the manager refresh: values that changed are settings from then on, and a reload of the configuration fetches
 * anew (B71). Answers the function that ends it.
 */
export function followSecrets(secrets: ServiceSecrets, live: LiveSettings, logger: Logging["logger"]): () => void {
  const { manager } = secrets;
  let applying = false;

  function apply(): void {
    applying = true;
    try {
      const outcome = live.reload(manager.environment());
      if (!outcome.ok)
        logger.error(`what the secrets manager told is refused, what ran runs on: ${outcome.rejected.reason}`);
    } finally {
      applying = false;
    }
  }
  const unsubscribe = live.subscribe(() => {
    if (applying) return;
    secrets.configure(live.settings.secretsManager);
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
