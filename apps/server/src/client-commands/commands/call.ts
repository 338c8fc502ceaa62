import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { OperatorApiError } from "@agent-service/operator-api/client";
import { askPerson } from "../ask-person.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { CommandProblem, usage } from "../command-failure.ts";
import type { Keyboard } from "../command-io.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { textFlag } from "../flag-values.ts";
import { interruptible } from "../interruptible.ts";
import { clean } from "../terminal-text.ts";

type Called = AnswerOf<Extract<OperatorDefinition, { readonly name: "tools.call" }>>;

export const callCommand: ClientCommand = {
  name: "call",
  order: 45,
  summary: "Calls a tool, without a model",
  usage: `agent-service call <tool> [<arguments>]     which are a JSON object; {} where there are none

  --session <id>   in this conversation, where the agent reads it; else in one that no list shows

Prints the result. Ends with 1 where the call failed, was declined or may have happened, and with 5 while it waits for a
person; at a terminal the person is asked. Ctrl-C leaves it: the call goes on as a task.
`,
  options: { session: { type: "string" } },
  async run(context) {
    const { io, json, positionals } = context;
    const [tool, args = "{}", ...others] = positionals;
    if (tool === undefined) throw usage("call needs the name of a tool");
    if (others.length > 0) throw usage(`there is one argument too many: ${JSON.stringify(others[0])}`);
    const keyboard = json ? undefined : io.keyboard?.();
    try {
      return await interruptible(io, (signal) => call(context, { tool, args: objectOf(args), signal }, keyboard));
    } finally {
      keyboard?.close();
    }
  },
};

interface Asked {
  readonly tool: string;
  readonly args: object;
  readonly signal: AbortSignal;
}

function objectOf(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usage("the arguments of a tool are a JSON object, which this is not");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw usage("the arguments of a tool are a JSON object");
  return value;
}

async function call(
  context: CommandContext,
  { tool, args, signal }: Asked,
  keyboard: Keyboard | undefined,
): Promise<ExitCode> {
  const { api, flags, note } = context;
  const session_id = textFlag(flags, "session");
  const body = { args, ...(session_id !== undefined && { session_id }) };
  // The request that has the key waits on for the call that the first one made.
  const request = { params: { name: tool }, body, idempotencyKey: crypto.randomUUID(), signal };
  for (;;) {
    let called: Called;
    try {
      called = await api.post("/api/tools/{name}/call", request);
    } catch (error) {
      if (!signal.aborted) throw placedProblem(error) ?? error;
      note("The call goes on as a task: see agent-service tasks --origin operator\n");
      return EXIT.interrupted;
    }
    if (called.state === "working") continue;
    const prompt = called.input_required;
    if (prompt === undefined) return ended(context, called);
    if (keyboard === undefined || !(await askPerson(context, called, keyboard))) return waiting(context, called);
  }
}

interface Entry {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** Arguments that do not fit, with the place of each. */
function placedProblem(error: unknown): CommandProblem | undefined {
  if (!(error instanceof OperatorApiError) || error.status !== 422 || !Array.isArray(error.detail)) return undefined;
  const lines = (error.detail as readonly Entry[]).map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`);
  return new CommandProblem("bad-arguments", lines.join("\n"));
}

function waiting({ json, note, writeJson }: CommandContext, called: Called): ExitCode {
  if (json) writeJson(called);
  else {
    const id = called.input_required?.prompt_id ?? "";
    note(`Task ${called.task_id} waits for a person. Answer it with agent-service approvals (${id}).\n`);
  }
  return EXIT.waiting;
}

function ended({ json, note, write, writeJson }: CommandContext, called: Called): ExitCode {
  const { outcome, result, state, task_id } = called;
  if (json) writeJson(called);
  else {
    if (result !== undefined) write(`${clean(result)}\n`);
    if (outcome !== "ok") note(`${OUTCOMES[outcome ?? ""] ?? `The task is ${state}`}. Its task: ${task_id}\n`);
  }
  return outcome === "ok" && state === "completed" ? EXIT.ok : EXIT.failed;
}

const OUTCOMES: { readonly [outcome: string]: string } = Object.freeze({
  error: "The call failed",
  denied: "The call was not made",
  aborted: "The call was aborted",
  unknown: "It is not known whether the call happened",
});
