import type { TaskRecord } from "../journal/index.ts";
import { partyOf } from "../share/index.ts";
import { createToolbox, type Toolbox } from "../tool/index.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnRole } from "./turn-role.ts";

/** A role that is not known any more: it may still answer, and call nothing. */
const REMOVED: TurnRole = Object.freeze({ toolbox: createToolbox([]), system: undefined, maxRounds: 0 });

/** What decides about the tools and the system text of a turn. */
export type RoleDeps = Pick<TurnDeps, "role" | "toolbox" | "system" | "systemText">;

/** The role a turn runs in, as it is defined now; undefined: it leads. */
export function roleOf({ view }: TaskRecord, deps: Pick<TurnDeps, "role">): TurnRole | undefined {
  return view.role === undefined ? undefined : (deps.role?.(view.role) ?? REMOVED);
}

/** The tools of a turn, without those that it may not use (`availableTo`). */
export function toolboxOf(record: TaskRecord, deps: Pick<TurnDeps, "role" | "toolbox">): Toolbox {
  const role = roleOf(record, deps);
  const toolbox = role?.toolbox ?? deps.toolbox;
  return toolbox.for({ subagent: role !== undefined, peer: partyOf(record.class) === "peers" });
}

/** What of a turn the system text is made of. */
export interface TurnWithText {
  readonly record: TaskRecord;
  /** `behindPersona`: undefined until it was asked for; it stays as it is for the rest of the turn. */
  readonly conversation: { behindPersona: string | undefined };
}

/** The byte-stable system text of a turn: the persona and what stands behind it, or the text of its role. */
export function personaOf({ record, conversation }: TurnWithText, deps: RoleDeps): string | undefined {
  const role = roleOf(record, deps);
  if (role !== undefined) return role.system;
  conversation.behindPersona ??= deps.systemText?.(partyOf(record.class)) ?? "";
  return joinTexts(deps.system(), conversation.behindPersona);
}

/** Texts with an empty line between them; undefined where none says anything. */
export function joinTexts(...texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined && text !== "");
  return said.length === 0 ? undefined : said.join("\n\n");
}
