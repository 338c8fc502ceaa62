import { sessions } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { steeringService } from "./steering-service.ts";

export const steering = defineServiceFeature({
  services: (_, { opened, redact }) => ({ steering: steeringService(opened(sessions).steering, redact) }),
});
