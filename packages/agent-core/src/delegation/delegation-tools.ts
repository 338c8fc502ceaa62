/** The tools `task`, `task_batch` and `stop_task` (B91, B53 `subagents`). */
import { type AnyTool, defineTool, type ToolContext } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { inParallel } from "../collection/index.ts";
import { clipText } from "../tool/index.ts";
import type { BackgroundPort, BackgroundRequest } from "./background-port.ts";
import type { Delegate, DelegatingCall } from "./delegation.ts";
import { DelegationError } from "./delegation-error.ts";
import type { DelegationOutcome } from "./delegation-outcome.ts";
import type { RoleBook } from "./role-book.ts";
import { DEFAULT_ROLE, ROLES } from "./roles.ts";

/** Tasks of one batch (B35). */
export const MAX_BATCH = 20;
/** Characters of a prompt. */
export const MAX_PROMPT = 100_000;

export interface DelegationToolParts {
  readonly delegations: {
    readonly roles: Pick<RoleBook, "need">;
    run(of: DelegatingCall, wanted: Delegate, signal: AbortSignal): Promise<DelegationOutcome>;
  };
  /** The call a tool serves, as `Delegations` takes it; undefined where a subagent made it. */
  readonly callOf: (context: ToolContext) => Promise<DelegatingCall | undefined>;
  /** B53 `subagents`, the current value. */
  readonly bounds: () => { readonly max_concurrency: number; readonly output_truncate: number };
  /** Who does what is to run in the background. */
  readonly background: () => BackgroundPort | undefined;
}

const names = ROLES.map(({ name }) => name);
const roster = ROLES.map(({ name, description }) => `${name}: ${description}`).join(" ");

const work = {
  description: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200), v.description("The task in a few words.")),
  prompt: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.maxLength(MAX_PROMPT),
    v.description("All the subagent needs to know: it sees nothing of this conversation."),
  ),
  subagent_type: v.optional(v.pipe(v.picklist(names), v.description("Who does it.")), DEFAULT_ROLE),
};
const inBackground = v.optional(
  v.pipe(v.boolean(), v.description("Do not wait for it: a later turn gets the result.")),
  false,
);

/** Work as the model asks for it. */
interface Work {
  readonly description: string;
  readonly prompt: string;
  readonly subagent_type: string;
}

function requestOf({ subagent_type: subagentType, description, prompt }: Work): BackgroundRequest {
  return { subagentType, description, prompt };
}

/** A delegation that failed, as an error the model reads. */
class DelegationFailure extends Error {
  override readonly name = "DelegationFailure";
}

/** Numbered sections, one per task, in the order they were given (B91). */
export function batchText(
  tasks: readonly Pick<Work, "description" | "subagent_type">[],
  outcomes: readonly Pick<DelegationOutcome, "ok" | "text">[],
  maxChars: number,
): string {
  return outcomes
    .map(({ ok, text }, i) => {
      const { description, subagent_type: role } = tasks[i]!;
      const head = `## ${i + 1}. ${description === "" ? role : `${description} (${role})`}`;
      return `${head}\n\n${clipText(ok ? text : `Error: ${text}`, maxChars)}`;
    })
    .join("\n\n");
}

async function callOf(parts: DelegationToolParts, context: ToolContext): Promise<DelegatingCall> {
  const of = await parts.callOf(context);
  if (of === undefined) throw new DelegationError("nested", "A subagent cannot delegate to others.");
  return of;
}

async function spawn(parts: DelegationToolParts, context: ToolContext, tasks: readonly Work[]): Promise<string> {
  const background = parts.background();
  if (background === undefined) throw new DelegationFailure("Nothing can run in the background here.");
  for (const { subagent_type } of tasks) parts.delegations.roles.need(subagent_type);
  const of = await callOf(parts, context);
  const ids = await background.spawn(
    { task: of.task, call: of.call, outside: context.caller.tainted },
    tasks.map(requestOf),
  );
  return ids.length === 1
    ? `Background job ${ids[0]} has started. Do not wait for it: a later turn gets its result.`
    : `Background jobs ${ids.join(", ")} have started. Do not wait for them: a later turn gets their results.`;
}

/** The tools. Their calls may be made again: what they started is found by the call's id (R3). */
export function delegationTools(parts: DelegationToolParts): readonly AnyTool[] {
  const { delegations, bounds, background } = parts;
  const task = defineTool({
    name: "task",
    description: `Have a subagent do a task of its own and wait for what it comes to. Use it for work that needs many steps whose details you do not need. Subagents: ${roster}`,
    input: v.object({ ...work, run_in_background: inBackground }),
    effect: "idempotent",
    availableTo: ["lead", "peers"],
    present: {
      asks: "Have a {subagent_type} do this: {description}?",
      doing: "A {subagent_type} works on: {description}",
      done: "A {subagent_type} worked on: {description}",
    },
    timeoutMs: null,
    async run(input, context) {
      if (input.run_in_background) return spawn(parts, context, [input]);
      const of = await callOf(parts, context);
      const { prompt, description, subagent_type: role } = input;
      const outcome = await delegations.run(of, { position: 0, role, prompt, description }, context.signal);
      if (!outcome.ok) throw new DelegationFailure(outcome.text);
      return outcome.text;
    },
  });
  const batch = defineTool({
    name: "task_batch",
    description: `Have subagents do up to ${MAX_BATCH} tasks that do not depend on each other, several at a time, and wait for all. Each result is cut to a few thousand characters. Subagents are those of the tool task.`,
    input: v.object({
      tasks: v.pipe(v.array(v.object(work)), v.minLength(1), v.maxLength(MAX_BATCH)),
      run_in_background: inBackground,
    }),
    effect: "idempotent",
    availableTo: ["lead", "peers"],
    present: {
      asks: "Have subagents do {tasks.length} tasks?",
      doing: "Subagents work on {tasks.length} tasks",
      done: "Subagents worked on {tasks.length} tasks",
    },
    timeoutMs: null,
    async run({ tasks, run_in_background }, context) {
      if (run_in_background) return spawn(parts, context, tasks);
      const of = await callOf(parts, context);
      const { max_concurrency, output_truncate } = bounds();
      const outcomes = await inParallel(tasks, max_concurrency, async (one, position) => {
        const { prompt, description, subagent_type: role } = one;
        try {
          return await delegations.run(of, { position, role, prompt, description }, context.signal);
        } catch (error) {
          context.signal.throwIfAborted();
          return { ok: false, text: error instanceof Error ? error.message : "The subagent failed." };
        }
      });
      return batchText(tasks, outcomes, output_truncate);
    },
  });
  const stop = defineTool({
    name: "stop_task",
    description: "Cancel a background job that you started and no longer need.",
    input: v.object({ job_id: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(64)) }),
    effect: "idempotent",
    availableTo: ["lead", "peers"],
    content: "own",
    present: {
      asks: "Cancel the job {job_id}?",
      doing: "Canceling the job {job_id}",
      done: "Canceled the job {job_id}",
    },
    run({ job_id }, context) {
      const port = background();
      if (port === undefined) throw new DelegationFailure("Nothing runs in the background here.");
      return port.stop({ task: context.taskId }, job_id);
    },
  });
  return [task, batch, stop];
}
