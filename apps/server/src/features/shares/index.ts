import { shares as agentShares } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { sharesState } from "../../surfaces/share/index.ts";
import { sharesService } from "./shares-service.ts";

export const shares = defineServiceFeature({
  engine: () => agentShares,
  services: (opened, { settings }) => ({ shares: sharesService(opened, settings) }),
  flags: ({ settings }) => ({ shares: sharesState(settings) === "on" }),
});
