import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

type PromptsAnswer = AnswerOf<Extract<OperatorDefinition, { readonly name: "prompts.read" }>>;

/** A captured model call. */
export type PromptCall = NonNullable<PromptsAnswer["calls"]>[number];

/** A message that a model was sent. */
export type PromptMessage = NonNullable<PromptsAnswer["messages"]>[number];

/** The calls of a turn, with those of its subagents. */
export type PromptTurn = Pick<PromptsAnswer, "calls" | "subagents" | "messages">;

/** What a call was sent of its conversation. */
export interface SentConversation {
  readonly messages: readonly PromptMessage[];
  /** Earlier messages were left out of the answer. */
  readonly cut: boolean;
}

/** A call to choose from. */
export interface ChosenCall {
  /** Unique within the list. */
  readonly key: string;
  readonly label: string;
  readonly call: PromptCall;
  /** Undefined: it is not kept. */
  readonly conversation: SentConversation | undefined;
  /** Key of the call before it, of the same conversation. */
  readonly follows: string | undefined;
}

/** All calls of a turn in a list, with the calls of the turn before to compare with. */
export function callsOf(turn: PromptTurn, before?: PromptTurn): readonly ChosenCall[] {
  const earlier = listed(before, (call) => `${call.task_id}:${call.call_index}`, "Turn before, call");
  const own = listed(turn, ({ call_index: index }) => String(index), "Call", earlier.at(-1)?.key);
  const subagents = (turn.subagents ?? []).flatMap((subagent) =>
    listed(
      subagent,
      (call) => `${call.task_id}:${call.call_index}`,
      `${subagent.calls[0]?.subagent_type ?? "subagent"}, call`,
    ),
  );
  return [...own, ...subagents, ...earlier];
}

function listed(
  turn: Pick<PromptTurn, "calls" | "messages"> | undefined,
  keyOf: (call: PromptCall) => string,
  label: string,
  last?: string,
): readonly ChosenCall[] {
  const byId = new Map((turn?.messages ?? []).map((message) => [message.id, message]));
  const calls = turn?.calls ?? [];
  return calls.map((call, index) => ({
    ...{ key: keyOf(call), label: `${label} ${call.call_index}`, call },
    conversation: conversationOf(call, byId),
    follows: index === 0 ? last : keyOf(calls[index - 1]!),
  }));
}

function conversationOf(
  { last_message: last }: PromptCall,
  byId: ReadonlyMap<string, PromptMessage>,
): SentConversation | undefined {
  if (last === null) return undefined;
  const messages: PromptMessage[] = [];
  let at: string | null = last;
  while (at !== null) {
    const message = byId.get(at);
    if (message === undefined) return { messages: messages.reverse(), cut: true };
    messages.push(message);
    at = message.prior;
  }
  return { messages: messages.reverse(), cut: false };
}

/** The system text of the call. */
export function promptText({ system: { stable, context, wire_differs, wire } }: PromptCall): string {
  if (wire_differs) return wire;
  return [stable, context].filter((text) => text !== "").join("\n\n");
}

/** Characters of the tools that a call was sent. */
export function toolsChars({ sections }: Pick<PromptCall, "sections">): number {
  return sections.find(({ label }) => label === "Tools")?.chars ?? 0;
}
