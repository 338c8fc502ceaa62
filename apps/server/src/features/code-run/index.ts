import { codeRun as scripts } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const codeRun = defineServiceFeature({
  engine: () => scripts,
  flags: ({ settings }) => ({ execute_code: settings.execute_code.enabled }),
});
