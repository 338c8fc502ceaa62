import { defineServiceFeature } from "../../service-feature/index.ts";
import { eventsService } from "./events-service.ts";

export const events = defineServiceFeature({
  services: (_, { core, keepAliveMs }) => ({ events: eventsService({ bus: core.bus, keepAliveMs }) }),
  flags: () => ({ events: true }),
});
