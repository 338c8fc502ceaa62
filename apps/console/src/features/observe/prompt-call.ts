import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

type Prompts = AnswerOf<Extract<OperatorDefinition, { readonly name: "prompts.read" }>>;
/** A captured model call. */
export type PromptCall = NonNullable<Prompts["calls"]>[number];

/** A call that can be chosen. */
export interface ChosenCall {
  /** Its value in the address: the call's number, for a call of another task preceded by the task. */
  readonly key: string;
  readonly label: string;
  readonly call: PromptCall;
}

/** All calls of a turn with those of its subagents, then those of the turn before it. */
export function callsOf(
  turn: Pick<Prompts, "calls" | "subagents">,
  before?: Pick<Prompts, "calls">,
): readonly ChosenCall[] {
  const own = (turn.calls ?? []).map((call) => ({
    key: String(call.call_index),
    label: `Call ${call.call_index}`,
    call,
  }));
  const subagents = (turn.subagents ?? []).flatMap(({ calls }) =>
    calls.map((call) => ({
      key: `${call.task_id}:${call.call_index}`,
      label: `${call.subagent_type ?? "subagent"}, call ${call.call_index}`,
      call,
    })),
  );
  const earlier = (before?.calls ?? []).map((call) => ({
    key: `${call.task_id}:${call.call_index}`,
    label: `Turn before, call ${call.call_index}`,
    call,
  }));
  return [...own, ...subagents, ...earlier];
}

/** The system text of the call. */
export function promptText({ system: { stable, context, wire_differs, wire } }: PromptCall): string {
  if (wire_differs) return wire;
  return [stable, context].filter((text) => text !== "").join("\n\n");
}
