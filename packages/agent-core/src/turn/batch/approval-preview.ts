/** What a call that waits for approval would do, made when a person looks at it (F28). */
import type { ToolPreview } from "@agent-service/plugin-sdk";
import type { PendingPrompt } from "../../event/index.ts";
import type { TaskRecord } from "../../journal/index.ts";
import { parseArguments, previewCall } from "../../tool/index.ts";
import { toolboxOf } from "../role-of.ts";
import type { TaskOptions } from "../task-options.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { newBatch } from "./call-batch.ts";
import { callContext } from "./call-context.ts";

/** Without a `preview` the arguments are all there is to see. */
export interface ApprovalPreview {
  readonly preview: ToolPreview | undefined;
  /** What the call would be made upon is another than when it was asked about. */
  readonly changedSince: boolean;
}

const NOTHING: ApprovalPreview = { preview: undefined, changedSince: false };

/** @throws DatabaseError */
export async function approvalPreview(
  record: TaskRecord,
  { callId, payload }: PendingPrompt,
  deps: TurnDeps,
): Promise<ApprovalPreview> {
  if (payload.kind !== "approval") return NOTHING;
  const tool = toolboxOf(record, deps).get(payload.tool);
  const parsed = tool?.preview === undefined ? undefined : parseArguments(tool, JSON.stringify(payload.args));
  if (tool === undefined || parsed?.ok !== true) return NOTHING;
  const stored = await deps.journal.optionsOf(record.view.id);
  const options: TaskOptions = stored === undefined ? {} : (JSON.parse(stored) as TaskOptions);
  const { clock, redactor, log } = deps;
  const { signal } = new AbortController();
  const { class: callerClass, context: contextId } = record.view;
  const conversation = await deps.conversations.read({ class: callerClass, context: contextId });
  const turn = { record, options, conversation, signal, aliveAt: clock.now() };
  const context = callContext(turn, newBatch([]), deps, callId);
  const made = await previewCall({ tool, input: parsed.input, context, signal, clock, redactor, log });
  if (made === undefined) return NOTHING;
  const { base, ...preview } = made;
  return { preview, changedSince: payload.base !== undefined && payload.base !== base };
}
