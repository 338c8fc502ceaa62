import { narrowToolbox, type Toolbox } from "../tool/index.ts";
import type { TurnRole } from "../turn/index.ts";
import { DelegationError } from "./delegation-error.ts";
import { DEFAULT_MAX_TURNS, ROLES, systemOf } from "./roles.ts";
import type { SubagentsSectionValue } from "./subagents-section.ts";

/** A role as configured, and its defaults. */
export interface RoleInfo {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  /** The allowlist. */
  readonly tools: readonly string[];
  readonly defaultTools: readonly string[];
  readonly maxTurns: number;
  readonly defaultMaxTurns: number;
  /** The model pin; blank for none. */
  readonly model: string;
}

type Role = (typeof ROLES)[number];

interface Kept {
  readonly from: Toolbox["shown"];
  readonly tools: readonly string[];
  readonly role: TurnRole;
}

/** The roles as the configuration has them now. */
export class RoleBook {
  readonly #settings: () => SubagentsSectionValue;
  readonly #toolbox: () => Toolbox;
  readonly #definitions = new Map<string, Role>(ROLES.map((role) => [role.name, role]));
  readonly #kept = new Map<string, Kept>();

  constructor(parts: {
    readonly settings: () => SubagentsSectionValue;
    readonly toolbox: () => Toolbox;
  }) {
    this.#settings = parts.settings;
    this.#toolbox = parts.toolbox;
  }

  list(): readonly RoleInfo[] {
    return ROLES.map((role) => this.#info(role));
  }

  /** A role that may be delegated to. @throws DelegationError unknown_role, role_disabled */
  need(name: string): RoleInfo {
    const definition = this.#definitions.get(name);
    if (definition === undefined) {
      const names = ROLES.map((role) => role.name).join(", ");
      throw new DelegationError(
        "unknown_role",
        `There is no subagent named ${JSON.stringify(name)}. There are: ${names}.`,
      );
    }
    const info = this.#info(definition);
    if (!info.enabled) throw new DelegationError("role_disabled", `The subagent ${name} is disabled.`);
    return info;
  }

  /** How a turn of the role runs; the same value while nothing changed. */
  turnRole(name: string): TurnRole | undefined {
    const definition = this.#definitions.get(name);
    if (definition === undefined) return undefined;
    const from = this.#toolbox();
    const { tools, maxTurns } = this.#info(definition);
    const kept = this.#kept.get(name);
    if (kept?.from === from.shown && kept.tools === tools && kept.role.maxRounds === maxTurns) return kept.role;
    const allowed = new Set(tools);
    const toolbox = narrowToolbox(from, (tool) => allowed.has(tool));
    const role: TurnRole = { toolbox, system: systemOf(definition), maxRounds: maxTurns };
    this.#kept.set(name, { from: from.shown, tools, role });
    return role;
  }

  #info({ name, description, tools: defaultTools }: Role): RoleInfo {
    const { enabled, tools, max_turns: maxTurns, model } = this.#settings()[name];
    return { name, description, enabled, tools, defaultTools, maxTurns, defaultMaxTurns: DEFAULT_MAX_TURNS, model };
  }
}
