/** The tools an agent has, prepared once: found by name, shown to the model as JSON Schema. */

import {
  type AnyTool,
  compilePresentation,
  isAvailableTo,
  type PresentCall,
  type ToolUser,
} from "@agent-service/plugin-sdk";
import { CodedError } from "../error/index.ts";
import type { ModelTool } from "../model/index.ts";
import { nameMatcher } from "./name-patterns.ts";
import { toModelTool } from "./tool-schema.ts";

/** Names a provider accepts for a tool. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool that cannot be registered. `code` is stable. */
export class ToolRegistrationError extends CodedError<"bad_tool_name" | "duplicate_tool"> {
  override readonly name = "ToolRegistrationError";
}

/** Which of the tools an agent has now (B58 `tools`). Names or patterns. */
export interface ToolPolicy {
  /** Tools it does not get. */
  readonly dropped: readonly string[];
  /** Withholds the schemas of all tools but these until the model has searched for them. */
  readonly deferred?: { readonly keep: readonly string[] };
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

interface PreparedTool {
  readonly tool: AnyTool;
  readonly shown: ModelTool;
  readonly present: PresentCall | undefined;
}

/** Prepares tools. @throws ToolRegistrationError for a name no provider takes or one used twice */
export function createToolbox(tools: readonly AnyTool[], options: ToolboxOptions = {}): Toolbox {
  const { warn, policy = () => EVERYTHING } = options;
  checkNames(tools);
  const prepared = tools.map(
    (tool): PreparedTool => ({ tool, shown: toModelTool(tool, warn), present: presenterOf(tool, warn) }),
  );
  let read: ToolPolicy | undefined;
  let made: Toolbox = under(prepared, EVERYTHING);
  const current = (): Toolbox => {
    const now = policy();
    if (now === read) return made;
    read = now;
    made = under(prepared, now);
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
  /** Gives it its tools, once. @throws ToolRegistrationError as `createToolbox` */
  seal(tools: readonly AnyTool[]): void;
}

/** A toolbox that is handed on while the features that bring the tools still open. */
export function sealableToolbox(options: ToolboxOptions = {}): SealableToolbox {
  let sealed: Toolbox | undefined;
  const tools = (): Toolbox => {
    if (sealed === undefined) throw new Error("tools are read before all features are open");
    return sealed;
  };
  return {
    seal(all) {
      sealed = createToolbox(all, options);
    },
    get: (name) => tools().get(name),
    presenter: (name) => tools().presenter(name),
    get names() {
      return tools().names;
    },
    get shown() {
      return tools().shown;
    },
    get withheld() {
      return tools().withheld;
    },
    for: (turn) => tools().for(turn),
  };
}

function checkNames(tools: readonly AnyTool[]): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (!TOOL_NAME.test(name))
      throw new ToolRegistrationError("bad_tool_name", `tool name ${JSON.stringify(name)} is not ${TOOL_NAME.source}`);
    if (names.has(name)) throw new ToolRegistrationError("duplicate_tool", `two tools are named ${name}`);
    names.add(name);
  }
}

/** A tool whose template cannot be read stays registered, without that text for people. */
function presenterOf({ name, present }: AnyTool, warn: ToolboxOptions["warn"]): PresentCall | undefined {
  if (present === undefined) return undefined;
  return compilePresentation(present, ({ message }) => warn?.(`${name}: ${message}; its calls are shown by its name`));
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

function boxOf(prepared: readonly PreparedTool[], { dropped, deferred }: ToolPolicy): Box {
  const drops = nameMatcher(dropped);
  const kept = drops === undefined ? prepared : prepared.filter(({ tool }) => !drops(tool.name));
  const byName = new Map(kept.map((one) => [one.tool.name, one]));
  const keeps = deferred === undefined ? undefined : (nameMatcher(deferred.keep) ?? (() => false));
  const list = kept.filter(({ tool }) => keeps?.(tool.name) !== false).map(({ shown }) => shown);
  const withheld = kept.filter(({ tool }) => keeps?.(tool.name) === false);
  return {
    get: (name) => byName.get(name)?.tool,
    presenter: (name) => byName.get(name)?.present,
    names: [...byName.keys()],
    shown: { list, chars: toolsChars(list) },
    withheld: withheld.length === 0 ? undefined : new Map(withheld.map(({ shown }) => [shown.name, shown])),
  };
}

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
