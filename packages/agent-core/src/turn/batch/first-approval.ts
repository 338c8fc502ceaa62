/**
 * Whether a person is asked before a call runs, in this order (F9, F12):
 *  1. neither the tool nor the settings ask for approval of it → it runs
 *  2. the tool asks every time (`always`), or the settings ask for every call of it (`enforcement.require_approval`) → ask
 *  3. a grant fits → it runs
 *  4. the settings allow this call (`allowedBy`), or the turn waives what may be waived (`bypassable`) → it runs
 *  5. ask
 * A call that runs by 3 or 4 is journaled as one that ran unasked. What is asked by 2 cannot be granted.
 */
import type { ApprovalRequest, ToolContext } from "@agent-service/plugin-sdk";
import type { SkippedApproval } from "../../event/index.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { RunnableCall } from "./call-batch.ts";
import type { CallingTurn } from "./call-context.ts";

export type FirstApproval =
  | { readonly kind: "run"; readonly why: string; readonly skipped?: SkippedApproval }
  | { readonly kind: "ask"; readonly title: string; readonly detail: string; readonly grantable: boolean };

/** The detail of a prompt that the settings ask for, and no tool. */
export const ASKED_BY_SETTINGS = "The settings ask for approval of this tool (enforcement.require_approval).";

/** Characters of the entry of the settings that are journaled. */
const RULE_CHARS = 200;

function askedBySettings({ tool, input, present }: RunnableCall): ApprovalRequest {
  return { title: present?.("asks", { input }) ?? `Run ${tool.name}?`, detail: ASKED_BY_SETTINGS };
}

export async function firstApproval(
  turn: CallingTurn,
  deps: Pick<TurnDeps, "grants" | "enforcement" | "redactor">,
  run: RunnableCall,
  context: ToolContext,
): Promise<FirstApproval> {
  const { tool, input, digest } = run;
  const asksFirst = deps.enforcement()?.asksFirst(tool.name) === true;
  if (tool.approval === undefined && !asksFirst) return { kind: "run", why: "nothing asks for approval" };
  const { known, text } = deps.redactor;
  try {
    const own = await tool.approval?.(input, context);
    const request = own ?? (asksFirst ? askedBySettings(run) : undefined);
    if (request === undefined) return { kind: "run", why: "the tool asks for none with these arguments" };
    const always = asksFirst || request.always === true;
    if (!always) {
      const skipped = skippedBy(turn, deps, request, { digest, bypass: context.caller.bypass });
      if (skipped !== undefined) return { kind: "run", why: `approval skipped: ${skipped.by}`, skipped };
    }
    return { kind: "ask", title: known(request.title), detail: known(request.detail), grantable: !always };
  } catch (error) {
    // Whether approval is needed is unknown, so it is asked for.
    const reason = text(error instanceof Error ? error.message : "unknown");
    const detail = `The tool could not decide whether this needs approval: ${reason}`;
    return { kind: "ask", title: `Run ${tool.name}?`, detail, grantable: false };
  }
}

/** What makes asking needless; undefined: nothing does. */
function skippedBy(
  { record }: CallingTurn,
  { grants, redactor }: Pick<TurnDeps, "grants" | "redactor">,
  { allowedBy, bypassable }: ApprovalRequest,
  { digest, bypass }: { readonly digest: string; readonly bypass: boolean },
): SkippedApproval | undefined {
  if (grants.has({ class: record.view.class, digest })) return { by: "grant" };
  if (allowedBy !== undefined) return { by: "rule", rule: redactor.known(allowedBy).slice(0, RULE_CHARS) };
  return bypassable === true && bypass ? { by: "bypass" } : undefined;
}
