/** `mcp calls` and `mcp replay`. */
import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { allPages } from "../all-pages.ts";
import { askPerson } from "../ask-person.ts";
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import type { Keyboard } from "../command-io.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, positionalsOf } from "../flag-values.ts";
import { interruptible } from "../interruptible.ts";
import { bytes, clean, columns, span } from "../terminal-text.ts";
import { sideBySide } from "./side-by-side.ts";

type Replay = AnswerOf<Extract<OperatorDefinition, { readonly name: "mcp.replay" }>>;

export async function listCalls(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, note, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const most = limitFlag(flags);
  const { rows: calls, more } = await allPages(
    (cursor) =>
      api.get("/api/mcp/servers/{name}/calls", {
        params: { name },
        query: { limit: String(Math.min(most, 200)), cursor },
      }),
    (page) => page.calls,
    most,
  );
  if (json) writeJson({ calls });
  else if (calls.length === 0) note(`No tool of ${clean(name)} was called yet.\n`);
  else {
    const rows = calls.map((call) => [
      ...[call.at, call.call_id, call.tool, call.outcome, span(call.ms), bytes(call.bytes)],
      ...[String(call.approx_tokens), call.direct ? "direct" : call.session_id],
    ]);
    write(columns(["AT", "CALL", "TOOL", "OUTCOME", "TIME", "SIZE", "TOKENS", "SESSION"], rows, io.stdout));
    if (more) note("There are more: --limit takes a larger number.\n");
  }
  return EXIT.ok;
}

export async function replayCall(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json } = context;
  const [call = ""] = positionalsOf(context, "the id of a call, which mcp calls <name> lists");
  const recorded = await api.get("/api/mcp/calls/{call}", { params: { call } });
  const keyboard = json ? undefined : io.keyboard?.();
  try {
    // What refuses it is said before anybody is asked.
    const mayAsk = recorded.refusal === null && recorded.confirm && flags.yes !== true;
    if (mayAsk && !(await isWanted(recorded.full_name, keyboard, context))) return EXIT.failed;
    return await interruptible(io, (signal) => replay(context, { call, confirm: recorded.confirm, signal }, keyboard));
  } finally {
    keyboard?.close();
  }
}

async function isWanted(tool: string, keyboard: Keyboard | undefined, { note }: CommandContext): Promise<boolean> {
  if (keyboard === undefined)
    throw usage(`${tool} may have effects, which a replay repeats: add --yes to make the call once more`);
  const answer = await keyboard.ask(`${clean(tool)} may have effects, which a replay repeats. Make the call? [y/N] `);
  if (/^y(es)?$/i.test(answer?.trim() ?? "")) return true;
  note("No call was made.\n");
  return false;
}

interface Wanted {
  readonly call: string;
  readonly confirm: boolean;
  readonly signal: AbortSignal;
}

async function replay(
  context: CommandContext,
  { call, confirm, signal }: Wanted,
  keyboard: Keyboard | undefined,
): Promise<ExitCode> {
  const { api, json, note, writeJson } = context;
  // The request that has the key waits on for the call that the first one made.
  const request = { params: { call }, body: { confirm }, idempotencyKey: crypto.randomUUID(), signal };
  for (;;) {
    let replayed: Replay;
    try {
      replayed = await api.post("/api/mcp/calls/{call}/replay", request);
    } catch (error) {
      if (!signal.aborted) throw error;
      note("The call goes on as a task: see agent-service tasks --origin operator\n");
      return EXIT.interrupted;
    }
    const { after } = replayed;
    if (after.state === "working") continue;
    const prompt = after.input_required;
    if (prompt !== undefined && keyboard !== undefined && (await askPerson(context, after, keyboard))) continue;
    if (json) writeJson(replayed);
    else show(context, replayed);
    if (prompt !== undefined) return EXIT.waiting;
    return replayed.same === true ? EXIT.ok : EXIT.failed;
  }
}

function show({ io, note, write }: CommandContext, { args, before, after, same }: Replay): void {
  write(`Arguments: ${clean(args)}\n\n`);
  write(
    sideBySide(
      [`BEFORE (${before.outcome}, ${before.at})`, before.result ?? ""],
      [`NOW (${after.outcome ?? after.state})`, after.result ?? ""],
      io.stdout.columns,
    ),
  );
  if (after.input_required !== undefined)
    note(
      `Task ${after.task_id} waits for a person. Answer it with agent-service approvals (${after.input_required.prompt_id}).\n`,
    );
  else note(`${same === true ? "The same." : "It differs."} Its task: ${after.task_id}\n`);
}
