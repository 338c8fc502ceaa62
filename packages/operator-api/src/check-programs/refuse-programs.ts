import { Problem } from "../problem/index.ts";
import type { Call } from "../route/index.ts";

/** When a check decides for the operator: it runs programs as the service's user. */
export const RUNS_PROGRAMS = "its check runs a program";

const TYPES: ReadonlySet<unknown> = new Set(["command", "test", "ci"]);

/** Refuses a check that runs programs to whoever may not decide for the operator: other users of the machine (F15), clients of MCP (M17). @throws Problem 403 */
export async function refusePrograms(verifier: unknown, call: Pick<Call, "refuseDecision">): Promise<void> {
  if (!TYPES.has((verifier as { readonly type?: unknown } | null | undefined)?.type)) return;
  const refused = await call.refuseDecision();
  if (refused !== undefined) throw new Problem(403, refused);
}
