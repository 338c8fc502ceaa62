import { defineFeature } from "../feature/index.ts";
import type { Sandbox } from "../process/index.ts";
import { executeCode } from "./execute-code.ts";
import { executeCodeSection } from "./execute-code-section.ts";
import { scriptProcesses } from "./script-process.ts";

/** Scripts of the agent: the tool `execute_code`. `sandbox` is asked at each start of a script; undefined: none is usable. */
export function codeRunIn(sandbox: () => Sandbox | undefined) {
  return defineFeature({
    name: "code_run",
    category: "code",
    sections: [executeCodeSection],
    open: ({ clock, processes }, { settings }) =>
      executeCode({ settings: () => settings.execute_code, clock, startProcess: scriptProcesses(processes, sandbox) }),
    tools: (tool) => [tool],
  });
}

/** The same without the system's sandbox. */
export const codeRun = codeRunIn(() => undefined);
