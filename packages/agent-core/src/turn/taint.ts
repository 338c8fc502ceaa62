/** Marks conversations that hold content from outside (K8): what the agent writes from then on may follow that content. */
import type { AnyTool } from "@agent-service/plugin-sdk";
import { messageBody } from "../context/index.ts";
import type { InputMessage } from "../event/index.ts";
import { messageRow } from "./finish.ts";
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

/** An attached file is content from outside, whoever attached it. */
export function taintByFiles(state: Tainted, deps: TaintDeps, { parts }: InputMessage): void {
  if (hasFiles({ parts })) taint(state, deps, ATTACHMENT);
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
export const ATTACHMENT = "attachment";

export function hasFiles({ parts }: Pick<InputMessage, "parts">): boolean {
  return parts.some(({ kind }) => kind === "file");
}
