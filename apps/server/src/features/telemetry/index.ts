import { createHash } from "node:crypto";
import { telemetry as agentTelemetry, CSV_HEAD } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { derive } from "../../settings/index.ts";
import { telemetryService } from "./telemetry-service.ts";

export const telemetry = defineServiceFeature({
  engine: ({ persona }) => agentTelemetry({ persona: derive(() => [persona()], revisionOf) }),
  services: (opened, { clock, models }) => ({
    telemetry: {
      reports: telemetryService(opened, models.price),
      csvHead: CSV_HEAD,
      now: () => clock.now(),
    },
  }),
  flags: ({ settings }) => ({ telemetry: settings.telemetry.enabled }),
});

function revisionOf(persona: string): string {
  return createHash("sha256").update(persona).digest("hex").slice(0, 12);
}
