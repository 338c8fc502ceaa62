import { defineTools, generalTools as tools } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

/** Time, arithmetic, asking a person, showing a component. */
export const generalTools = defineServiceFeature({ engine: () => defineTools("general", () => tools()) });
