import { defineServiceFeature } from "../../service-feature/index.ts";
import { diagnosticsService } from "./diagnostics-service.ts";

export const diagnostics = defineServiceFeature({
  services: (_, { core, logging, redact }) => ({ diagnostics: diagnosticsService(core, logging, redact) }),
  flags: () => ({ diagnostics: true }),
});
