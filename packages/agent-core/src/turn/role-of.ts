import { partyOf } from "../share/index.ts";
import { createToolbox, type Toolbox } from "../tool/index.ts";
import type { TurnRole } from "./turn-role.ts";
import type { TurnDeps, TurnState } from "./turn-state.ts";

/** A role that is not known any more: it may still answer, and call nothing. */
const GONE: TurnRole = Object.freeze({ toolbox: createToolbox([]), system: undefined, maxRounds: 0 });

type Of = Pick<TurnState, "record">;

/** The role a turn runs in, as it is defined now; undefined: it leads. */
export function roleOf({ record: { view } }: Of, deps: TurnDeps): TurnRole | undefined {
  return view.role === undefined ? undefined : (deps.role?.(view.role) ?? GONE);
}

/** The tools of a turn, without those that it may not use (`availableTo`). */
export function toolboxOf(state: Of, deps: TurnDeps): Toolbox {
  const role = roleOf(state, deps);
  const toolbox = role?.toolbox ?? deps.toolbox;
  return toolbox.for({ subagent: role !== undefined, peer: partyOf(state.record.class) === "peers" });
}

/** The byte-stable system text of a turn: the persona of who leads, the text of a role. */
export function personaOf(state: Of, deps: TurnDeps): string | undefined {
  const role = roleOf(state, deps);
  return role === undefined ? deps.system() : role.system;
}
