import { defineServiceFeature } from "../../service-feature/index.ts";
import { modelsServices } from "./models-service.ts";

/** Probes of model connections (O4, R13). */
export const models = defineServiceFeature({
  services: (_, { settings, redact, models, clock }) => modelsServices({ settings, redact, models, clock }),
  flags: ({ settings }) => ({ model_lanes: settings.model.max_inflight > 0 }),
});
