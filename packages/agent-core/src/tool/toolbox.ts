/** The tools an agent has, prepared once: found by name, shown to the model as JSON Schema. */

import { type AnyTool, isAvailableTo, type PresentCall, type ToolUser } from "@agent-service/plugin-sdk";
import type { ModelTool } from "../model/index.ts";
import { nameMatcher } from "./name-patterns.ts";
import { type PreparedTool, PreparedTools, type ToolContribution } from "./prepared-tools.ts";

/** The name of the tool that finds tools; it is shown always (B58 `tools.deferred`). */
export const SEARCH_TOOLS = "search_tools";

/** Which of the tools an agent has now (B58 `tools`). Names or patterns. */
export interface ToolPolicy {
  /** Tools it does not get. */
  readonly dropped: readonly string[];
  /** Withholds the schemas of all tools but these until the model has searched for them. */
  readonly deferred?: { readonly keep: readonly string[] };
  /**
   * Without `deferred`: where more tools than this would be shown, those of plugins and MCP servers are withheld, and tools
   * that say so themselves always. Where that is none there is nothing to search for, so `search_tools` is dropped.
   */
  readonly withholdAbove?: number;
}

/** What the model is shown: the same array while nothing changes, so that the prompt's prefix stays the same bytes. */
export interface ShownTools {
  readonly list: readonly ModelTool[];
  /** Characters of `list`, about as many as its text takes of a request. */
  readonly chars: number;
}

/** The tools of an agent. With a policy every field follows the current policy. */
export interface Toolbox {
  get(name: string): AnyTool | undefined;
  /** What people read of the calls of a tool that `get` has; undefined where the tool declares nothing. */
  presenter(name: string): PresentCall | undefined;
  /** Names, in order of registration. */
  readonly names: readonly string[];
  readonly shown: ShownTools;
  /** By name, what the model may call but is not shown; undefined: nothing is withheld. */
  readonly withheld: ReadonlyMap<string, ModelTool> | undefined;
  /** The tools that such a turn has (`availableTo`); the same object while nothing changes. */
  for(turn: ToolUser): Toolbox;
}

const EVERYTHING: ToolPolicy = Object.freeze({ dropped: [] });

export interface ToolboxOptions {
  readonly warn?: (message: string) => void;
  /** Asked at each use; made into something when it is another object. Default: everything, nothing withheld. */
  readonly policy?: () => ToolPolicy;
}

/** Prepares tools. @throws ToolRegistrationError for a name no provider takes or one used twice */
export function createToolbox(tools: readonly AnyTool[], options: ToolboxOptions = {}): Toolbox {
  return toolboxOver(new PreparedTools([{ source: "core", tools }], options.warn), options);
}

function toolboxOver(tools: PreparedTools, { policy = () => EVERYTHING }: ToolboxOptions): Toolbox {
  let read: ToolPolicy | undefined;
  let prepared: readonly PreparedTool[] | undefined;
  let made: Toolbox | undefined;
  const current = (): Toolbox => {
    const [now, all] = [policy(), tools.current()];
    if (made !== undefined && now === read && all === prepared) return made;
    [read, prepared] = [now, all];
    made = under(all, now);
    return made;
  };
  return {
    get: (name) => current().get(name),
    presenter: (name) => current().presenter(name),
    get names() {
      return current().names;
    },
    get shown() {
      return current().shown;
    },
    get withheld() {
      return current().withheld;
    },
    for: (turn) => current().for(turn),
  };
}

/** A toolbox whose tools come later: reading it before `seal` throws. */
export interface SealableToolbox extends Toolbox {
  /** Gives it its tools, once. @throws ToolRegistrationError as `createToolbox`, for tools that do not change */
  seal(contributions: readonly ToolContribution[]): void;
  /** The tools there are now of one contribution, whatever the policy, without live ones that had to be left out. */
  toolsOf(contribution: ToolContribution): readonly AnyTool[];
}

/** A toolbox that is handed on while the features that bring the tools still open. */
export function sealableToolbox(options: ToolboxOptions = {}): SealableToolbox {
  let sealed: { readonly prepared: PreparedTools; readonly toolbox: Toolbox } | undefined;
  const all = () => {
    if (sealed === undefined) throw new Error("tools are read before all features are open");
    return sealed;
  };
  return {
    seal(contributions) {
      const prepared = new PreparedTools(contributions, options.warn);
      sealed = { prepared, toolbox: toolboxOver(prepared, options) };
    },
    toolsOf: (contribution) => all().prepared.toolsOf(contribution),
    get: (name) => all().toolbox.get(name),
    presenter: (name) => all().toolbox.presenter(name),
    get names() {
      return all().toolbox.names;
    },
    get shown() {
      return all().toolbox.shown;
    },
    get withheld() {
      return all().toolbox.withheld;
    },
    for: (turn) => all().toolbox.for(turn),
  };
}

function under(prepared: readonly PreparedTool[], policy: ToolPolicy): Toolbox {
  return withViews(boxOf(prepared, policy), (turn) => {
    const available = prepared.filter(({ tool }) => isAvailableTo(turn, tool));
    return available.length === prepared.length ? undefined : boxOf(available, policy);
  });
}

type Box = Omit<Toolbox, "for">;

/** `viewFor`: what such a turn has; undefined: all of it. Asked once for each of the four kinds of turns. */
function withViews(whole: Box, viewFor: (turn: ToolUser) => Box | undefined): Toolbox {
  const views: Toolbox[] = [];
  const toolbox: Toolbox = {
    ...whole,
    for(turn) {
      const kind = (turn.subagent ? 1 : 0) + (turn.peer ? 2 : 0);
      const known = views[kind];
      if (known !== undefined) return known;
      const box = viewFor(turn);
      const view: Toolbox = box === undefined ? toolbox : { ...box, for: () => view };
      views[kind] = view;
      return view;
    },
  };
  return toolbox;
}

function boxOf(prepared: readonly PreparedTool[], policy: ToolPolicy): Box {
  const drops = nameMatcher(policy.dropped);
  const has = drops === undefined ? prepared : prepared.filter(({ tool }) => !drops(tool.name));
  const isWithheld = withholding(has, policy);
  const isSearchUseless = isWithheld === undefined && policy.withholdAbove !== undefined;
  const kept = isSearchUseless ? has.filter(({ tool }) => tool.name !== SEARCH_TOOLS) : has;
  const byName = new Map(kept.map((one) => [one.tool.name, one]));
  const shown = isWithheld === undefined ? kept : kept.filter((one) => !isWithheld(one));
  const withheld = isWithheld === undefined ? [] : kept.filter(isWithheld);
  return {
    get: (name) => byName.get(name)?.tool,
    presenter: (name) => byName.get(name)?.present,
    names: [...byName.keys()],
    shown: { list: shown.map((one) => one.shown), chars: shown.reduce((sum, { chars }) => sum + chars + 1, 0) },
    withheld: withheld.length === 0 ? undefined : new Map(withheld.map((one) => [one.tool.name, one.shown])),
  };
}

/** Which tools are withheld; undefined: none. */
function withholding(
  has: readonly PreparedTool[],
  { deferred, withholdAbove }: ToolPolicy,
): ((one: PreparedTool) => boolean) | undefined {
  if (deferred !== undefined) {
    const keeps = nameMatcher(deferred.keep);
    return ({ tool }) => keeps?.(tool.name) !== true;
  }
  const others = has.filter(({ tool }) => tool.name !== SEARCH_TOOLS);
  // Without the tool that searches, what is withheld would not be found.
  if (withholdAbove === undefined || others.length === has.length) return undefined;
  const isTooMany = others.filter((one) => !isDeferred(one)).length > withholdAbove;
  const isWithheld = isTooMany ? (one: PreparedTool) => isDeferred(one) || isOfOthers(one) : isDeferred;
  return others.some(isWithheld) ? isWithheld : undefined;
}

const isDeferred = ({ tool }: PreparedTool): boolean => tool.deferred === true;

const isOfOthers = ({ source }: PreparedTool): boolean => source !== "core";

/** Characters that tools take of a request, about. */
export function toolsChars(list: readonly ModelTool[]): number {
  return list.length === 0 ? 0 : JSON.stringify(list).length;
}

/** The tools of a toolbox whose names are kept, in the same order; all of them are shown, nothing is withheld. */
export function narrowToolbox(toolbox: Toolbox, keep: (name: string) => boolean): Toolbox {
  return withViews(narrowed(toolbox, keep), (turn) => {
    const view = toolbox.for(turn);
    return view === toolbox ? undefined : narrowed(view, keep);
  });
}

function narrowed(toolbox: Toolbox, keep: (name: string) => boolean): Box {
  const names = toolbox.names.filter(keep);
  const known = new Map(toolbox.shown.list.map((tool) => [tool.name, tool]));
  for (const [name, tool] of toolbox.withheld ?? []) known.set(name, tool);
  const list = names.flatMap((name) => known.get(name) ?? []);
  const kept = new Set(names);
  return {
    get: (name) => (kept.has(name) ? toolbox.get(name) : undefined),
    presenter: (name) => (kept.has(name) ? toolbox.presenter(name) : undefined),
    names,
    shown: { list, chars: toolsChars(list) },
    withheld: undefined,
  };
}
