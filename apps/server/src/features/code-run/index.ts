import { codeRunIn } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

export const codeRun = defineServiceFeature({
  engine: ({ settings, sandbox }) =>
    codeRunIn(() => {
      const state = sandbox();
      return state?.usable === true && settings.filesystem.sandbox !== "off" ? state.sandbox : undefined;
    }),
  flags: ({ settings }) => ({ execute_code: settings.execute_code.enabled }),
});
