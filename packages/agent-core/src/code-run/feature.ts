import { defineFeature } from "../feature/index.ts";
import { executeCode } from "./execute-code.ts";
import { executeCodeSection } from "./execute-code-section.ts";
import { scriptProcesses } from "./script-process.ts";

/** Scripts of the agent: the tool `execute_code`. */
export const codeRun = defineFeature({
  name: "code_run",
  category: "code",
  sections: [executeCodeSection],
  open: ({ clock, processes }, { settings }) =>
    executeCode({ settings: () => settings.execute_code, clock, startProcess: scriptProcesses(processes) }),
  tools: (tool) => [tool],
});
