import type { Definition, DefinitionKind, ToolDefinition } from "./definition.ts";
import { isSameForCallers } from "./schema-structure.ts";

/**
 * - `approved`: the server shows what is approved.
 * - `held`: it shows something else, or something new, which waits for the operator or was rejected.
 * - `gone`: it does not show it now.
 */
export type DefinitionState = "approved" | "held" | "gone";

/** What is known of one tool or prompt of a server. */
export interface PinnedDefinition {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** Of what the server showed last. */
  readonly digest: string;
  /** What the model reads; undefined: it was never approved. */
  readonly approved: Definition | undefined;
  /** What the server showed last, where that is not what is approved. */
  readonly seen: Definition | undefined;
  readonly state: DefinitionState;
  /** Epoch milliseconds of when the server first showed it with this digest. */
  readonly seenAt: number;
  /** Epoch milliseconds of the operator's decision about this digest; undefined: none was made. */
  readonly decidedAt: number | undefined;
}

/** Whether a definition waits for the operator's decision. */
export function isWaiting({ state, decidedAt }: PinnedDefinition): boolean {
  return state === "held" && decidedAt === undefined;
}

/** Whether a held one was rejected by the operator. */
export function isRejected({ state, decidedAt }: PinnedDefinition): boolean {
  return state === "held" && decidedAt !== undefined;
}

/**
 * What is offered of a definition: never anything but approved text (MC1). Undefined: it is gone, was never approved, or
 * what the server takes now is not what was approved.
 */
export function offered(pin: PinnedDefinition): Definition | undefined {
  const { approved, seen, state } = pin;
  if (approved === undefined || state === "gone") return undefined;
  if (state === "approved" || seen === undefined || isSameForCallers(approved, seen)) return approved;
  return undefined;
}

/** The offered tool of a definition. */
export function offeredTool(pin: PinnedDefinition): ToolDefinition | undefined {
  const definition = offered(pin);
  return definition?.kind === "tool" ? definition : undefined;
}
