/** What a person is shown of a call that waits for approval, as it is journaled (A13, F28). */
import type { ParkRequest, ToolContext } from "@agent-service/plugin-sdk";
import type { PromptPayload } from "../../event/index.ts";
import { canonicalJson } from "../../json/index.ts";
import { parseArguments, previewCall } from "../../tool/index.ts";
import { type RoleDeps, toolboxOf } from "../role-of.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { RunnableCall } from "./call-batch.ts";
import type { CallingTurn } from "./call-context.ts";

export type ApprovalPayload = PromptPayload & { readonly kind: "approval" };

/** What approvals are made with. */
export type PayloadDeps = RoleDeps & Pick<TurnDeps, "clock" | "enforcement" | "redactor" | "log">;

/** What the approval is of, beside its words. */
type Asked = Pick<ApprovalPayload, "title" | "detail" | "grantable" | "notRun">;

/** Approval of the call itself. */
export function approvalPayload(
  turn: CallingTurn,
  deps: PayloadDeps,
  run: RunnableCall,
  asked: Asked & { readonly context: Omit<ToolContext, "signal"> },
): Promise<ApprovalPayload> {
  const { context, ...words } = asked;
  const args = JSON.parse(run.canonical) as unknown;
  return withBase(turn, deps, { kind: "approval", ...words, tool: run.tool.name, args }, context);
}

/** What a call asks that parked inside: of an approval perhaps another tool's call. */
export async function parkPayload(
  turn: CallingTurn,
  deps: PayloadDeps,
  run: RunnableCall,
  { request, context }: { readonly request: ParkRequest; readonly context: Omit<ToolContext, "signal"> },
): Promise<PromptPayload> {
  if (request.kind !== "approval") return request;
  const { title, detail, tool = run.tool.name, args, grantable } = request;
  const shown = JSON.parse(args === undefined ? run.canonical : canonicalJson(args)) as unknown;
  const payload = { kind: "approval", title, detail, tool, args: shown } as const;
  // What the settings ask for is asked each time.
  const canGrant = grantable === true && deps.enforcement()?.asksFirst(tool) !== true;
  return withBase(turn, deps, canGrant ? { ...payload, grantable } : payload, context);
}

/** Remembers what the call would be made upon, so that a later preview shows whether that changed. */
async function withBase(
  turn: CallingTurn,
  deps: PayloadDeps,
  payload: ApprovalPayload,
  context: Omit<ToolContext, "signal">,
): Promise<ApprovalPayload> {
  const tool = toolboxOf(turn.record, deps).get(payload.tool);
  const parsed = tool?.preview === undefined ? undefined : parseArguments(tool, JSON.stringify(payload.args));
  if (tool === undefined || parsed?.ok !== true) return payload;
  const { clock, redactor, log } = deps;
  const preview = await previewCall({ tool, input: parsed.input, context, signal: turn.signal, clock, redactor, log });
  return preview?.base === undefined ? payload : { ...payload, base: preview.base };
}
