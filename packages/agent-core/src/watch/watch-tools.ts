/** The agent's side of its watches (G9, G18). */
import { type AnyTool, defineTool, type ToolContext } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { TaskService } from "../task/index.ts";
import { outsideApproval, triggerOfTurn } from "../trigger/index.ts";
import { WATCH_LIMITS } from "./watch.ts";
import { WatchError } from "./watch-error.ts";
import type { Watches } from "./watches.ts";
import type { ShownWatch } from "./watches-parts.ts";

const INCOGNITO = "Nothing of this turn may stay, so nothing can be watched in it.";
/** Watches that one call lists. */
const LISTED = 50;
const SHOWN_CHARS = 160;

const OF_WATCHES = { availableTo: ["lead"], content: "own", effect: "idempotent", deferred: true } as const;

const seconds = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(31_536_000));
const text = (most: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(most));
const optional = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema));
const id = text(64);

const fields = {
  check: v.pipe(text(129), v.description("A verifier, for example core:url.")),
  check_args: v.record(v.string(), v.unknown()),
  run_prompt: v.pipe(text(WATCH_LIMITS.prompt), v.description("What to do when it fires; without it, a message.")),
  interval_s: seconds(5),
  expires_in_s: seconds(1),
  stall_after: v.pipe(seconds(1), v.description("Unchanged checks until that is reported.")),
  repeat: v.pipe(v.boolean(), v.description("Fire again each time it becomes true again.")),
  on_change: v.pipe(v.boolean(), v.description("Fire when what is checked changes.")),
};

export interface WatchToolParts {
  readonly watches: Watches;
  readonly service: Pick<TaskService, "get">;
}

/** `create_watch`, `list_watches`, `update_watch`, `clear_watch`. */
export function watchTools(parts: WatchToolParts): readonly AnyTool[] {
  return [createWatch(parts), listWatches(parts), updateWatch(parts), clearWatch(parts)];
}

/** A turn that began by itself begins nothing that goes on for ever. */
async function requirePerson(service: Pick<TaskService, "get">, context: ToolContext, repeats: boolean) {
  if (!repeats) return;
  const trigger = await triggerOfTurn(service, context);
  if (trigger !== undefined)
    throw new WatchError("invalid", `this turn was started by ${trigger}: it can set no repeating watch`);
}

function createWatch({ watches, service }: WatchToolParts): AnyTool {
  return defineTool({
    name: "create_watch",
    description: "Check a condition again and again, without a model, and act in this conversation once it holds.",
    input: v.object({
      condition: v.pipe(text(WATCH_LIMITS.condition), v.description("In words.")),
      check: fields.check,
      check_args: optional(fields.check_args),
      run_prompt: optional(fields.run_prompt),
      watch_id: optional(id),
      interval_s: optional(fields.interval_s),
      expires_in_s: optional(fields.expires_in_s),
      stall_after: optional(fields.stall_after),
      repeat: v.optional(fields.repeat, false),
      on_change: v.optional(fields.on_change, false),
    }),
    ...OF_WATCHES,
    oncePerCall: true,
    present: { asks: "Watch: {condition}?", doing: "Setting a watch", done: "Watching: {condition}" },
    approval: ({ run_prompt, condition }, context) => {
      const title = run_prompt ? "Set a watch that starts turns?" : "Set a watch?";
      return outsideApproval(context, title, [condition, run_prompt ?? ""]);
    },
    async run({ condition, check, check_args, watch_id, run_prompt, repeat, on_change, ...times }, context) {
      const { caller, callId, contextId } = context;
      if (caller.incognito) return INCOGNITO;
      await requirePerson(service, context, repeat);
      const shown = await watches.create({
        ...{ condition, context: contextId, by: "agent", createdBy: "agent", originCall: callId },
        verifier: { type: "plugin", check, args: check_args ?? {} },
        ...{ id: watch_id ?? undefined, runPrompt: run_prompt ?? undefined, repeat, outside: caller.tainted },
        ...{ trigger: on_change ? "change" : "met", ...timesOf(times) },
      });
      return `${shown.replaced ? "Replaced" : "Watching"} ${lineOf(shown)}`;
    },
  });
}

function listWatches({ watches }: WatchToolParts): AnyTool {
  return defineTool({
    name: "list_watches",
    description: "List the watches and what their last checks found.",
    input: v.object({}),
    ...OF_WATCHES,
    effect: "pure",
    content: "outside",
    present: { asks: "List the watches?", doing: "Reading the watches", done: "Read the watches" },
    async run() {
      const all = watches.list();
      if (all.length === 0) return "Nothing is watched.";
      const more = all.length > LISTED ? [`${all.length - LISTED} more are not shown.`] : [];
      return [...all.slice(0, LISTED).map((shown) => lineOf(shown)), ...more].join("\n");
    },
  });
}

function updateWatch({ watches, service }: WatchToolParts): AnyTool {
  return defineTool({
    name: "update_watch",
    description: "Change a watch. What is left out stays as it is.",
    input: v.object({
      watch_id: id,
      condition: optional(text(WATCH_LIMITS.condition)),
      check: optional(fields.check),
      check_args: optional(fields.check_args),
      run_prompt: optional(fields.run_prompt),
      interval_s: optional(fields.interval_s),
      expires_in_s: optional(fields.expires_in_s),
      stall_after: optional(fields.stall_after),
      repeat: optional(fields.repeat),
      on_change: optional(fields.on_change),
      clear_deadline: v.optional(v.boolean(), false),
    }),
    ...OF_WATCHES,
    present: { asks: "Change the watch {watch_id}?", doing: "Changing {watch_id}", done: "Changed {watch_id}" },
    approval: ({ watch_id, condition, run_prompt }, context) =>
      outsideApproval(context, "Change a watch?", [watch_id, condition ?? "", run_prompt ?? ""]),
    async run(
      { watch_id, condition, check, check_args, run_prompt, repeat, on_change, clear_deadline, ...times },
      context,
    ) {
      const { caller } = context;
      if (caller.incognito) return INCOGNITO;
      await requirePerson(service, context, repeat === true);
      const known = watches.get(watch_id)?.watch;
      const before = known?.check.spec.type === "plugin" ? known.check.spec : undefined;
      if (check == null && check_args != null && before === undefined)
        throw new WatchError("invalid", "name the check with its arguments");
      const isOther = check != null || check_args != null;
      const name = check ?? before?.check;
      const args = check_args ?? (check == null || check === before?.check ? before?.args : undefined) ?? {};
      const shown = await watches.update(watch_id, {
        ...{ condition: condition ?? undefined, by: "agent", outside: caller.tainted },
        ...(isOther && { verifier: { type: "plugin", check: name, args } }),
        ...{ runPrompt: run_prompt ?? undefined, repeat: repeat ?? undefined },
        ...(on_change != null && { trigger: on_change ? ("change" as const) : ("met" as const) }),
        ...timesOf(times),
        ...(clear_deadline && { expiresInS: null, deadline: null }),
      });
      if (shown.watch.outside) context.fromOutside();
      return `Changed ${lineOf(shown, false)}`;
    },
  });
}

function clearWatch({ watches }: WatchToolParts): AnyTool {
  return defineTool({
    name: "clear_watch",
    description: "Remove a watch; a turn it started goes on.",
    input: v.object({ watch_id: id }),
    ...OF_WATCHES,
    present: { asks: "Clear {watch_id}?", doing: "Clearing {watch_id}", done: "Cleared {watch_id}" },
    approval: ({ watch_id }, context) => outsideApproval(context, "Remove a watch?", [watch_id]),
    async run({ watch_id }, { caller }) {
      if (caller.incognito) return INCOGNITO;
      return (await watches.clear(watch_id))
        ? `Cleared ${watch_id}.`
        : `There is no watch ${JSON.stringify(watch_id)}.`;
    },
  });
}

interface Times {
  readonly interval_s?: number | null | undefined;
  readonly expires_in_s?: number | null | undefined;
  readonly stall_after?: number | null | undefined;
}

function timesOf({ interval_s, expires_in_s, stall_after }: Times) {
  return {
    intervalS: interval_s ?? undefined,
    expiresInS: expires_in_s ?? undefined,
    stallAfter: stall_after ?? undefined,
  };
}

/** A watch in a line, with what its last check found, which may hold what others wrote. */
export function lineOf({ watch, nextCheckAt }: ShownWatch, showsFound = true): string {
  const { state } = watch;
  const spec = watch.check.spec;
  const check = spec.type === "plugin" ? spec.check : spec.type;
  const found = state.lastReason === undefined ? "Not checked yet." : state.lastReason;
  const next = nextCheckAt === undefined ? "" : ` Next check: ${new Date(nextCheckAt).toISOString()}.`;
  const flapping = state.flapping ? ", flapping" : "";
  return `${watch.id} [${watch.status}${flapping}]: ${cut(watch.condition)} (${check}).${showsFound ? ` ${cut(found)}` : ""}${next}`;
}

function cut(line: string): string {
  const flat = line.replaceAll(/\s+/g, " ").trim();
  return flat.length <= SHOWN_CHARS ? flat : `${flat.slice(0, SHOWN_CHARS).toWellFormed()}…`;
}
