/** Marks conversations that hold content from outside (K8): what the agent writes from then on may follow that content. */
import type { AnyTool } from "@agent-service/plugin-sdk";
import { messageBody } from "../context/index.ts";
import type { InputMessage } from "../event/index.ts";
import { messageRow } from "./finish.ts";
import type { TaskOptions } from "./task-options.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnState } from "./turn-state.ts";

type Tainted = Pick<TurnState, "record" | "conversation" | "carry">;
type TaintDeps = Pick<TurnDeps, "journal" | "clock">;

/** Marks the conversation, in the commit that stores what it holds from now on; once. `by`: where the content came from. */
export function taint(state: Tainted, deps: TaintDeps, by: string): void {
  if (state.conversation.tainted) return;
  state.conversation.tainted = true;
  state.carry.statements.push(messageRow(state.record, deps, "tainted", messageBody({ kind: "tainted", by })));
}

/** Marks the conversation by a message that enters it, where that holds content from outside. */
export function taintByMessage(
  state: Tainted,
  deps: TaintDeps,
  message: InputMessage,
  options: Pick<TaskOptions, "wordsFrom"> = {},
): void {
  const by = outsideOf(message, options);
  if (by !== undefined) taint(state, deps, by);
}

/**
 * From where a message holds content; undefined: its words are the person's. An attached file is from outside, whoever attached
 * it, and so is a message whose sender claims it (`metadata.from_outside: true`). A claim of the opposite is ignored.
 */
export function outsideOf(
  { parts, metadata }: Pick<InputMessage, "parts" | "metadata">,
  { wordsFrom }: Pick<TaskOptions, "wordsFrom"> = {},
): string | undefined {
  if (wordsFrom !== undefined) return wordsFrom;
  if (metadata?.from_outside === true) return SENDER;
  return parts.some(({ kind }) => kind === "file") ? ATTACHMENT : undefined;
}

/** A result of a tool whose content is not the agent's own; `saidSo`: the call said so itself. */
export function taintByResult(
  state: Tainted,
  deps: TaintDeps,
  { tool, saidSo }: { readonly tool: AnyTool; readonly saidSo: boolean },
): void {
  if (saidSo || tool.content !== "own") taint(state, deps, tool.name);
}

/** By what a message with files marks its conversation. */
const ATTACHMENT = "attachment";
/** By what a message marks it whose sender says that it holds content from outside. */
const SENDER = "sender";
