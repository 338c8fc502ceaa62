/**
 * The tools of an agent as they are needed: checked, each prepared once, and followed where their source changes while the
 * service runs.
 */
import { type AnyTool, compilePresentation, type PresentCall } from "@agent-service/plugin-sdk";
import { CodedError } from "../error/index.ts";
import type { ModelTool } from "../model/index.ts";
import { toModelTool } from "./tool-schema.ts";

/** Names a provider accepts for a tool. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool that cannot be registered. `code` is stable. */
export class ToolRegistrationError extends CodedError<"bad_tool_name" | "duplicate_tool"> {
  override readonly name = "ToolRegistrationError";
}

/** Who brings a tool. */
export type ToolSource = "core" | "plugin" | "mcp";

/**
 * Tools that change while the service runs. Asked at each use of the tools, so it answers from memory, with the same array
 * while nothing changed; what did not change is the same object in the next array.
 */
export type LiveTools = () => readonly AnyTool[];

/** Tools of one source: all there will ever be, or those there are now. */
export interface ToolContribution {
  readonly source: ToolSource;
  readonly tools: readonly AnyTool[] | LiveTools;
}

export interface PreparedTool {
  readonly tool: AnyTool;
  readonly source: ToolSource;
  readonly shown: ModelTool;
  /** Characters of `shown` as JSON. */
  readonly chars: number;
  readonly present: PresentCall | undefined;
}

type Warn = (message: string) => void;

/** Of two live tools with one name, the one whose source comes first here stays. */
const RANKS: readonly ToolSource[] = ["core", "plugin", "mcp"];

interface LiveSource {
  readonly source: ToolSource;
  readonly list: LiveTools;
  last: readonly AnyTool[];
}

const NO_TOOLS: readonly AnyTool[] = Object.freeze([]);

/** Follows what contributes tools. */
export class PreparedTools {
  readonly #fixed: readonly PreparedTool[];
  readonly #fixedNames: ReadonlySet<string>;
  readonly #live: readonly LiveSource[];
  readonly #warn: Warn;
  readonly #known = new WeakMap<AnyTool, PreparedTool>();
  #all: readonly PreparedTool[];
  /** What is wrong with the live tools there are, so that each is written once. */
  #problems: ReadonlySet<string> = new Set();
  #has: ReadonlySet<AnyTool> | undefined;

  /** @throws ToolRegistrationError for a name no provider takes or one used twice, among tools that do not change */
  constructor(contributions: readonly ToolContribution[], warn: Warn = () => {}) {
    this.#warn = warn;
    const fixed = contributions.flatMap(({ source, tools }) =>
      typeof tools === "function" ? [] : tools.map((tool) => ({ source, tool })),
    );
    checkNames(fixed.map(({ tool }) => tool));
    this.#fixed = fixed.map(({ source, tool }) => prepare(tool, source, warn));
    this.#fixedNames = new Set(fixed.map(({ tool }) => tool.name));
    this.#live = contributions
      .flatMap(({ source, tools }): LiveSource[] =>
        typeof tools === "function" ? [{ source, list: tools, last: NO_TOOLS }] : [],
      )
      .toSorted((a, b) => RANKS.indexOf(a.source) - RANKS.indexOf(b.source));
    this.#all = this.#fixed;
  }

  /** The tools there are now; the same array while nothing changes. Never throws. */
  current(): readonly PreparedTool[] {
    let isChanged = false;
    for (const live of this.#live) {
      const now = this.#read(live);
      if (now === live.last) continue;
      live.last = now;
      isChanged = true;
    }
    if (isChanged) this.#follow();
    return this.#all;
  }

  /** The tools there are now of one contribution, without those that had to be left out. Never throws. */
  toolsOf({ tools }: ToolContribution): readonly AnyTool[] {
    if (typeof tools !== "function") return tools;
    const all = this.current();
    this.#has ??= new Set(all.map((one) => one.tool));
    const has = this.#has;
    return this.#live.find(({ list }) => list === tools)?.last.filter((tool) => has.has(tool)) ?? NO_TOOLS;
  }

  #read({ source, list, last }: LiveSource): readonly AnyTool[] {
    try {
      return list();
    } catch (error) {
      const problem = `the tools of a source (${source}) could not be read, so they stay as they were: ${String(error)}`;
      if (!this.#problems.has(problem)) this.#warn(problem);
      this.#problems = new Set([...this.#problems, problem]);
      return last;
    }
  }

  #follow(): void {
    const problems = new Set<string>();
    const found = new Map<string, PreparedTool>();
    for (const { source, last } of this.#live) {
      for (const tool of last) {
        const problem = this.#problemOf(tool, found);
        if (problem === undefined) found.set(tool.name, this.#prepared(tool, source, problems));
        else problems.add(problem);
      }
    }
    for (const problem of problems) if (!this.#problems.has(problem)) this.#warn(problem);
    this.#problems = problems;
    const live = inPlace(this.#all.slice(this.#fixed.length), found);
    const all = [...this.#fixed, ...live];
    if (all.length === this.#all.length && all.every((one, index) => one === this.#all[index])) return;
    this.#all = all;
    this.#has = undefined;
  }

  /** Why a live tool is left out. */
  #problemOf({ name }: AnyTool, found: ReadonlyMap<string, PreparedTool>): string | undefined {
    if (typeof name !== "string" || !TOOL_NAME.test(name))
      return `a tool is left out: its name ${JSON.stringify(name)?.slice(0, 100)} is not ${TOOL_NAME.source}`;
    if (this.#fixedNames.has(name))
      return `a tool named ${name} is left out: the agent has one of that name of its own`;
    const other = found.get(name);
    return other === undefined
      ? undefined
      : `a tool named ${name} is left out: there is one of that name (${other.source}) already`;
  }

  #prepared(tool: AnyTool, source: ToolSource, problems: Set<string>): PreparedTool {
    const known = this.#known.get(tool);
    if (known?.source === source) return known;
    const prepared = prepare(tool, source, (warning) => problems.add(warning));
    this.#known.set(tool, prepared);
    return prepared;
  }
}

/** What is there now, under its name where a tool of that name was, what is new behind. */
function inPlace(before: readonly PreparedTool[], found: ReadonlyMap<string, PreparedTool>): readonly PreparedTool[] {
  const stay = before.flatMap(({ tool }) => found.get(tool.name) ?? []);
  if (stay.length === found.size) return stay;
  const names = new Set(stay.map(({ tool }) => tool.name));
  return [...stay, ...[...found.values()].filter(({ tool }) => !names.has(tool.name))];
}

function prepare(tool: AnyTool, source: ToolSource, warn: Warn): PreparedTool {
  const shown = toModelTool(tool, warn);
  return { tool, source, shown, chars: JSON.stringify(shown).length, present: presenterOf(tool, warn) };
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
function presenterOf({ name, present }: AnyTool, warn: Warn): PresentCall | undefined {
  if (present === undefined) return undefined;
  return compilePresentation(present, ({ message }) => warn(`${name}: ${message}; its calls are shown by its name`));
}
