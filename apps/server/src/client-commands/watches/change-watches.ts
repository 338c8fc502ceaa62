/** The forms of `agent-service watches` that change. */
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { numberFlag, objectFlag, positionalsOf, textFlag, yesFlag } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";
import { writeWatch } from "./show-watches.ts";

export async function addWatch(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, writeJson } = context;
  const [condition = ""] = positionalsOf(context, "a condition");
  const where = { watch_id: textFlag(flags, "id"), run_session: textFlag(flags, "session") };
  const { watch } = await api.post("/api/watches", { body: { condition, ...where, ...changeOf(context) } });
  if (json) writeJson({ watch });
  else writeWatch(context, watch);
  return EXIT.ok;
}

export async function editWatch(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, writeJson } = context;
  const [watch_id = ""] = positionalsOf(context, "the id of a watch");
  const body = { condition: textFlag(flags, "condition"), ...changeOf(context) };
  if (Object.values(body).every((value) => value === undefined)) throw usage("watches edit needs what to change");
  const { watch } = await api.patch("/api/watches/{watch_id}", { params: { watch_id }, body });
  if (json) writeJson({ watch });
  else writeWatch(context, watch);
  return EXIT.ok;
}

export async function checkWatch(context: CommandContext): Promise<ExitCode> {
  const { api, json, writeJson } = context;
  const [watch_id = ""] = positionalsOf(context, "the id of a watch");
  const { watch } = await api.post("/api/watches/{watch_id}/check", { params: { watch_id } });
  if (json) writeJson({ watch });
  else writeWatch(context, watch);
  return EXIT.ok;
}

export async function clearWatch(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [watch_id = ""] = positionalsOf(context, "the id of a watch");
  const done = await api.delete("/api/watches/{watch_id}", { params: { watch_id } });
  if (json) writeJson(done);
  else write(`Removed ${clean(watch_id)}\n`);
  return EXIT.ok;
}

/** What flags say of a watch; `none` takes away. */
function changeOf({ flags }: Pick<CommandContext, "flags">) {
  const args = objectFlag(flags, "args");
  const verifier = objectFlag(flags, "verifier");
  if (args === null || verifier === null) throw usage("--args and --verifier take a JSON object");
  const none = (name: string): boolean => textFlag(flags, name) === "none";
  const seconds = (name: string) => (none(name) ? null : numberFlag(flags, name));
  return {
    ...{ check: textFlag(flags, "check"), check_args: args, verifier, project: textFlag(flags, "project") },
    run_prompt: none("prompt") ? null : textFlag(flags, "prompt"),
    ...{ interval_s: seconds("interval"), expires_in_s: seconds("expires"), stall_after: seconds("stall") },
    deadline: none("deadline") ? null : textFlag(flags, "deadline"),
    ...{ repeat: yesFlag(flags, "repeat"), on_change: yesFlag(flags, "on-change") },
  };
}
