/** Delegations in the store after the last process ended: each ran once, ended with its turn and is in its account. */
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "./ledger.ts";

interface ChildRow {
  readonly id: string;
  readonly parent: string;
  readonly state: string;
  readonly parent_state: string;
  readonly accepted: string;
}

interface Usage {
  readonly input: number;
  readonly output: number;
}

/** Sums over the delegations, for the report. */
export interface DelegationFigures {
  readonly delegations: number;
}

const TERMINAL = ["completed", "failed", "canceled"];

function sum(usages: readonly (Usage | undefined)[]): string {
  const total = (of: (usage: Usage) => number): number =>
    usages.reduce((all, usage) => all + (usage === undefined ? 0 : of(usage)), 0);
  return `${total(({ input }) => input)} + ${total(({ output }) => output)}`;
}

function callsOf(bodies: readonly string[]): (Usage | undefined)[] {
  return bodies
    .map((body) => JSON.parse(body) as { kind: string; usage?: Usage })
    .flatMap(({ kind, usage }) => (kind === "model.finished" || kind === "model.failed" ? [usage] : []));
}

/** Checks every task that a call delegated to, and the account of every turn that delegated. */
export function checkDelegation(file: string, ledger: Ledger): DelegationFigures {
  const db = new DatabaseSync(file);
  try {
    const bodiesOf = (task: string): string[] =>
      db
        .prepare("SELECT body FROM event WHERE task = ? ORDER BY seq")
        .all(task)
        .map((row) => String(row.body));
    const children = db
      .prepare(
        "SELECT c.id, c.parent, c.state, p.state AS parent_state, body AS accepted FROM task AS c JOIN task AS p ON p.id = c.parent JOIN event ON event.task = c.id AND event.seq = 1 WHERE c.origin = 'subagent'",
      )
      .all() as unknown as ChildRow[];
    const prompts = new Set<string>();
    for (const { id, parent, state, parent_state, accepted } of children) {
      if (TERMINAL.includes(parent_state) && !TERMINAL.includes(state))
        ledger.blame(`DL2: delegation ${id} is ${state} although its turn ${parent} is ${parent_state}`);
      const { input, parent: by } = JSON.parse(accepted) as { input: { parts: unknown }; parent: { call: string } };
      const work = `${by.call} ${JSON.stringify(input.parts)}`;
      if (prompts.has(work)) ledger.blame(`R3: delegation ${id} does again what another one of its call does`);
      prompts.add(work);
    }
    for (const [parent, own] of Map.groupBy(children, (child) => child.parent)) {
      if (!TERMINAL.includes(own[0]!.parent_state)) continue;
      const bodies = bodiesOf(parent);
      const billed = bodies
        .map((body) => JSON.parse(body) as { kind: string; task: string })
        .flatMap(({ kind, task }) => (kind === "delegation.finished" ? [task] : []));
      const missing = own.filter(({ id }) => billed.filter((task) => task === id).length !== 1);
      for (const { id } of missing) ledger.blame(`A11: delegation ${id} is not billed once to its turn ${parent}`);
      const reported = (JSON.parse(bodies.at(-1) ?? "{}") as { usage?: Usage }).usage;
      const due = sum([...callsOf(bodies), ...own.flatMap(({ id }) => callsOf(bodiesOf(id)))]);
      if (sum([reported]) !== due)
        ledger.blame(`A11: turn ${parent} used ${due} tokens and reports ${sum([reported])}`);
    }
    return { delegations: children.length };
  } finally {
    db.close();
  }
}
