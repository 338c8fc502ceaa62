/** `execute_code(code)`: a script of the model that calls tools (F18, F19; SC1 to SC4 in `turn/inner-call.ts`). */
import { hash } from "node:crypto";
import { type AnyTool, defineTool, type ToolContext } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Clock } from "../clock/index.ts";
import { CodedError } from "../error/index.ts";
import { clipText } from "../tool/index.ts";
import type { ExecuteCodeSectionValue } from "./execute-code-section.ts";
import { runScript, type ScriptEnd } from "./run-script.ts";
import type { StartScriptProcess } from "./script-process.ts";

const MAX_CODE_CHARS = 200_000;
/** Milliseconds between two signs of life. */
const LIFE_MS = 60_000;

/** Tools that no script reaches: they ask the person, delegate, or end the turn (F18). */
const OUT_OF_REACH: ReadonlySet<string> = new Set([
  ...["execute_code", "ask_human", "request_user_input"],
  ...["task", "task_batch", "stop_task", "wait"],
]);

/** A script that did not end well; the message is for the model. */
class ScriptError extends CodedError<"execute_code.failed" | "execute_code.unavailable"> {
  override readonly name = "ScriptError";
}

export interface ExecuteCodeParts {
  readonly settings: () => ExecuteCodeSectionValue;
  readonly clock: Clock;
  readonly startProcess: StartScriptProcess;
}

export function executeCode(parts: ExecuteCodeParts): AnyTool {
  return defineTool({
    name: "execute_code",
    description:
      "Run a JavaScript function body that calls tools: `const r = await tools.<name>({...})`, a failed call throws. Returns what it prints and returns. No files, network or modules. Use it for many or dependent calls.",
    input: v.object({ code: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_CODE_CHARS)) }),
    effect: "idempotent",
    // What comes from outside is in the results of its calls, which mark the conversation themselves.
    content: "own",
    callsTools: true,
    availableTo: ["lead", "subagents"],
    present: { asks: "Run a script?", doing: "Running a script", done: "Ran a script" },
    timeoutMs: null,
    preview: ({ code }) => ({ kind: "code", language: "javascript", code }),
    run: (input, context) => run(parts, input, context),
  });
}

async function run(parts: ExecuteCodeParts, { code }: { code: string }, context: ToolContext): Promise<string> {
  const { calls, callId, signal } = context;
  if (calls === undefined) throw new ScriptError("execute_code.unavailable", "scripts run in turns of the agent only");
  const { clock, startProcess } = parts;
  const { timeout, tools, output_truncate: most } = parts.settings();
  const alive = lifeSigns(clock, context);
  const end = await runScript({
    start: {
      code,
      names: calls.names.filter((name) => !OUT_OF_REACH.has(name) && (tools.length === 0 || tools.includes(name))),
      startedAt: calls.startedAt.getTime(),
      seed: seedOf(callId),
    },
    ...{ calls, callId, signal, clock, startProcess, timeoutMs: timeout * 1000 },
  });
  alive.cancel();
  return resultOf(end, most);
}

/** A script that waits for its place, or computes, is no silence (R5): its own limit ends it. */
function lifeSigns(clock: Clock, { progress }: ToolContext): { cancel(): void } {
  let timer: { cancel(): void };
  const live = (): void => {
    progress();
    timer = clock.setTimeout(live, LIFE_MS);
  };
  live();
  return { cancel: () => timer.cancel() };
}

/** The same numbers each time the call runs (SC3). */
function seedOf(callId: string): number[] {
  const digest = hash("sha256", callId, "buffer");
  return [0, 4, 8, 12].map((at) => digest.readInt32LE(at));
}

function resultOf(end: ScriptEnd, most: number): string {
  switch (end.kind) {
    case "waits":
      // Not used: the engine waits for the person.
      return "";
    case "done": {
      const text = [end.printed, end.value].filter((part) => part !== "").join("\n");
      return text === "" ? "(the script printed and returned nothing)" : clipText(text, most);
    }
    case "failed": {
      const before = end.printed === "" ? "" : `\nPrinted before:\n${end.printed}`;
      throw new ScriptError("execute_code.failed", clipText(`${end.reason}${before}`, most));
    }
  }
}
