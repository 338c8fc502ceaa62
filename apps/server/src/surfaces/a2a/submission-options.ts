/** What a message asks for beside its text: model, reasoning effort, skill, output modes, trace context, idempotency key. */
import { contentTypeNotSupported, ForbiddenError, invalidParams } from "@agent-service/a2a-protocol";
import type { CallContext, Caller, Submission } from "@agent-service/a2a-protocol/server";
import {
  formatTraceparent,
  OPERATOR_CLASS,
  parseTraceparent,
  REASONING_EFFORTS,
  type RequestKey,
  requestKey,
  type StructuredSkill,
  type TaskOptions,
} from "@agent-service/agent-core/host";

/** A skill of the card, with its result schema if it is structured (A17). */
export interface ServedSkill {
  readonly id: string;
  readonly structured?: StructuredSkill;
}

/** What the options of a task are checked against. */
export interface SubmissionRules {
  /** Called per request: the configuration may change. */
  readonly skills: () => readonly ServedSkill[];
  /** Whether a caller of this class may name this model. */
  readonly mayUseModel: (model: string, callerClass: Caller["class"]) => boolean;
}

/** The output modes of every answer. */
const PLAIN_MODES = ["text/plain", "text/markdown", "application/json"];

function accepts(modes: readonly string[] | undefined, produced: readonly string[]): boolean {
  if (modes === undefined || modes.length === 0) return true;
  return modes.some(
    (mode) => mode === "*/*" || produced.includes(mode) || (mode === "text/*" && produced.includes("text/plain")),
  );
}

function modelOf({ metadata }: Submission, { caller }: CallContext, mayUse: SubmissionRules["mayUseModel"]) {
  const { model } = metadata ?? {};
  if (model === undefined || model === "") return {};
  if (typeof model !== "string") throw invalidParams("metadata.model: must be a string");
  if (!mayUse(model, caller.class)) {
    throw invalidParams(`metadata.model: ${JSON.stringify(model.slice(0, 200))} is not open to peers of this agent`);
  }
  return { model };
}

function effortOf({ metadata }: Submission): Pick<TaskOptions, "sampling"> {
  const { reasoning_effort: asked } = metadata ?? {};
  if (asked === undefined || asked === "") return {};
  const reasoningEffort = REASONING_EFFORTS.find((effort) => effort === asked);
  if (reasoningEffort === undefined) {
    throw invalidParams(`metadata.reasoning_effort: must be one of ${REASONING_EFFORTS.join(", ")}`);
  }
  return { sampling: { reasoningEffort } };
}

function skillOf(submission: Submission, skills: readonly ServedSkill[]): TaskOptions {
  const { skill: wanted } = submission.metadata ?? {};
  if (wanted !== undefined && typeof wanted !== "string") throw invalidParams("metadata.skill: must be a string");
  const skill = wanted === undefined ? undefined : skills.find((one) => one.id === wanted);
  if (wanted !== undefined && skill === undefined) {
    throw invalidParams(`metadata.skill: there is no skill ${JSON.stringify(wanted)}`);
  }
  const produced = skill?.structured === undefined ? PLAIN_MODES : [skill.structured.resultMime, "application/json"];
  if (!accepts(submission.acceptedOutputModes, produced)) {
    throw contentTypeNotSupported(`the answer comes as ${produced[0]}, which acceptedOutputModes does not list`);
  }
  return skill?.structured === undefined ? {} : { skill: skill.structured };
}

/** Whether the operator waives the approvals of the turn that can be waived (F12); a peer has none to waive. */
function bypassOf({ metadata }: Submission, { caller }: CallContext): Pick<TaskOptions, "bypassApprovals"> {
  const { bypass_approvals: asked } = metadata ?? {};
  if (asked === undefined || caller.class !== OPERATOR_CLASS) return {};
  if (typeof asked !== "boolean") throw invalidParams("metadata.bypass_approvals: must be true or false");
  return asked ? { bypassApprovals: true } : {};
}

/** The options of the task that a message starts. @throws A2AError INVALID_PARAMS, CONTENT_TYPE_NOT_SUPPORTED */
export function optionsOf(submission: Submission, call: CallContext, { skills, mayUseModel }: SubmissionRules) {
  return {
    ...modelOf(submission, call, mayUseModel),
    ...effortOf(submission),
    ...bypassOf(submission, call),
    ...skillOf(submission, skills()),
  };
}

/** The same, if the caller's connection may waive approvals where they ask for it (F15). @throws ForbiddenError too */
export async function permittedOptions(submission: Submission, call: CallContext, rules: SubmissionRules) {
  const options = optionsOf(submission, call, rules);
  const refused = options.bypassApprovals === true ? await call.caller.refuseDecision?.() : undefined;
  if (refused !== undefined) throw new ForbiddenError(refused);
  return options;
}

/** The caller's trace context, of its header or of `metadata["a2a.trace"]`. Invalid ones are ignored. */
export function traceOf(submission: Submission, { traceparent }: CallContext): string | undefined {
  const trace = submission.metadata?.["a2a.trace"];
  if (traceparent === undefined && (typeof trace !== "object" || trace === null)) return undefined;
  const { traceId, spanId } = (trace ?? {}) as { readonly traceId?: unknown; readonly spanId?: unknown };
  const parent = parseTraceparent(traceparent ?? `00-${String(traceId)}-${String(spanId)}-01`);
  return parent && formatTraceparent(parent);
}

/** A key belongs to the whole request (A15). A generated message id is not part of the request. */
export function keyOf(submission: Submission): { key?: RequestKey } {
  if (submission.idempotencyKey === undefined) return {};
  const { messageId: _, ...message } = submission.message;
  const { contextId, acceptedOutputModes, delivery, metadata, pushConfig } = submission;
  const asked = [message, contextId, acceptedOutputModes, delivery, metadata, pushConfig];
  return { key: requestKey(submission.idempotencyKey, asked) };
}
