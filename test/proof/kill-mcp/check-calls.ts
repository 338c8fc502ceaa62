/** Calls of MCP tools after the last process ended: what they did, against what was intended, recorded and allowed. */
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "../ledger.ts";
import { AGAIN_TOOLS, HELD_TOOLS, LIED_ABOUT_TOOLS, ONCE_TOOLS } from "./draw-call.ts";
import { readEffects } from "./effects.ts";
import type { RemoteServers } from "./remote-servers.ts";

/** Sums for the report. */
export interface McpFigures {
  readonly mcpCalls: number;
  readonly mcpEffects: number;
  /** Calls that a person allowed once more, because it was not known whether they had happened. */
  readonly mcpAllowedAgain: number;
  /** Forms of the 2026 era that were answered, and those that an earlier life had been asked. */
  readonly mcpForms: number;
  readonly mcpFormsAfterKill: number;
  /** Forms of the 2025 era that were answered while their call waited. */
  readonly mcpHeldForms: number;
  /** Tasks of the server. */
  readonly mcpTasks: number;
}

/** Of a call whose question held its connection, which is gone. */
const CUT_OFF = "the service restarted while the server had the call";

interface CallRow {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly outcome: string | null;
  readonly result: string | null;
  readonly state: string;
}

interface AskedRow {
  readonly call: string;
  readonly approved: number;
}

/** M6, M7: no effect is repeated that no person allowed, and nothing that was asked or begun is without an end. */
export function checkMcpCalls(
  file: string,
  {
    effects: effectsFile,
    servers,
    ledger,
  }: { readonly effects: string; readonly servers: RemoteServers; readonly ledger: Ledger },
): McpFigures {
  const db = new DatabaseSync(file);
  const names = [...ONCE_TOOLS, ...AGAIN_TOOLS].map((name) => `'${name}'`).join();
  const calls = db
    .prepare(
      `SELECT call.id, name, args, outcome, result, state FROM call JOIN task ON task.id = call.task WHERE name IN (${names})`,
    )
    .all() as unknown as CallRow[];
  const again = db
    .prepare(
      "SELECT call, coalesce(answer LIKE '%\"approved\":true%', 0) AS approved FROM prompt WHERE reason = 'again'",
    )
    .all() as unknown as AskedRow[];
  db.close();
  const effects = readEffects(effectsFile);
  const byToken = Map.groupBy(calls, ({ args }) => (JSON.parse(args) as { token: string }).token);
  for (const [token, same] of Map.groupBy(effects, (effect) => effect.token)) {
    const of = byToken.get(token) ?? [];
    const tool = same[0]?.tool ?? "";
    if (of.length === 0) ledger.blame(`EN5: ${tool} did ${token} without an intent`);
    if (!ONCE_TOOLS.includes(tool)) continue;
    const most = 1 + again.filter(({ call, approved }) => approved === 1 && of.some(({ id }) => id === call)).length;
    if (same.length > most) ledger.blame(`M6: ${tool} did ${token} ${same.length} times; ${most} were allowed`);
  }
  const done = new Set(effects.map(({ token }) => token));
  for (const [token, same] of byToken)
    for (const call of same) checkCall(call, { token, isDone: done.has(token), asked: again, ledger });
  checkServers(servers, ledger);
  return {
    mcpCalls: calls.length,
    mcpEffects: effects.length,
    mcpAllowedAgain: again.filter(({ call, approved }) => approved === 1 && calls.some(({ id }) => id === call)).length,
    mcpForms: servers.forms.answered,
    mcpFormsAfterKill: servers.forms.afterKill,
    mcpHeldForms: servers.forms.held,
    mcpTasks: servers.tasks.size,
  };
}

interface CallFacts {
  readonly token: string;
  readonly isDone: boolean;
  readonly asked: readonly AskedRow[];
  readonly ledger: Ledger;
}

function checkCall({ id, name, outcome, result, state }: CallRow, { token, isDone, asked, ledger }: CallFacts): void {
  const left = result?.includes(`left ${token}`) === true;
  if (outcome === "ok" && !isDone && !left) ledger.blame(`EN9: ${name} ${token} is recorded as done and did nothing`);
  if (outcome === "ok" && !left && result?.includes(token) !== true)
    ledger.blame(`M7: ${name} ${token} was answered with ${JSON.stringify(result?.slice(0, 200))}`);
  if (outcome === "denied" && isDone) ledger.blame(`R3: ${name} did ${token} and is recorded as denied`);
  if (state !== "completed" || outcome === "ok") return;
  // What may have happened is asked about, and stays unknown where the person says no.
  const wasAsked = asked.some(({ call }) => call === id);
  if (wasAsked && ONCE_TOOLS.includes(name)) return;
  // A form of 2025 was answered in a later life: of the call that it belongs to only its server knows.
  const isCutOff = HELD_TOOLS.includes(name) && result?.includes(CUT_OFF) === true;
  if (outcome === "unknown" && (LIED_ABOUT_TOOLS.includes(name) || isCutOff)) return;
  ledger.blame(`M7: ${name} ${token} ended as ${outcome}: ${result?.slice(0, 300)}`);
}

/** A task of a server that the service has ever asked for has an owner until its end. */
function checkServers({ tasks, complaints }: RemoteServers, ledger: Ledger): void {
  for (const what of complaints) ledger.blame(what);
  for (const { id, tool, token, answers, isOver } of tasks.values())
    if (answers > 0 && !isOver) ledger.blame(`M7: task ${id} of ${tool} ${token} was followed, and has no end`);
}
