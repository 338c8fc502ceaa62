import { createIdSource } from "@agent-service/agent-core";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { steeringService } from "./steering-service.ts";

export const steering = defineServiceFeature({
  services: (_, { core, clock, redact }) => ({
    steering: steeringService({ core, newId: createIdSource(clock), redact }),
  }),
});
