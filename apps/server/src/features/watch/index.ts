import { checks, watch as watching } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { watchesService } from "./watches-service.ts";

/** Conditions that are checked again and again. */
export const watch = defineServiceFeature({
  engine: () => watching,
  services({ watches }, { settings, redact, opened }) {
    const enabled = (): boolean => settings.watches.enabled;
    return { watches: watchesService({ watches, verifiers: opened(checks), enabled, redact }) };
  },
  flags: () => ({ watches: true }),
});
