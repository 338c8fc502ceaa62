import { verification as checks, createEgress } from "@agent-service/agent-core/host";
import { isLoopbackHost, isOpen } from "../../access/index.ts";
import { notedRefusal } from "../../logging/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { derive } from "../../settings/index.ts";

const REFUSED = "this service takes requests from other machines without a credential: set auth.token";

/** Checks of watches, goals and schedules. */
export const verification = defineServiceFeature({
  engine({ settings, logging }) {
    const onRefused = notedRefusal(logging.debug, "checks");
    const egress = derive(
      () => [settings.egress],
      ({ allowed_hosts }) => createEgress({ allowedHosts: allowed_hosts, onRefused }),
    );
    const isExposed = (): boolean => isOpen(settings.credentials) && !isLoopbackHost(settings.bind.host);
    return checks({ inherited: process.env, egress, commandsRefused: () => (isExposed() ? REFUSED : undefined) });
  },
});
