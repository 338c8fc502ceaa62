import type { AnyTool, SettingsSection } from "@agent-service/plugin-sdk";
import type { InferOutput } from "valibot";
import type { CommandSource } from "../command/index.ts";
import type { Statement } from "../database/index.ts";
import type { CommittedEvent, RecalledMemory, TaskView } from "../event/index.ts";
import type { JournalReader } from "../projection/index.ts";
import type { Party } from "../share/index.ts";
import type { AcceptedTask } from "../task/index.ts";
import type { FireTimer } from "../timer/index.ts";
import type { LiveTools, ToolSource } from "../tool/index.ts";
import type { DelegatedWork, ObservedCall, RecallAsk, TurnRole } from "../turn/index.ts";
import type { WorkingAsk, WorkingSource } from "../working-state/index.ts";
import type { Engine, TextRewriting } from "./engine.ts";

/** The settings of sections, by the section's name. Each field is read anew at each use: a save counts from then on. */
export type SettingsOf<Sections extends readonly SettingsSection[]> = {
  readonly [S in Sections[number] as S["name"]]: InferOutput<S["schema"]>;
};

/** What features opened, by the feature's name. */
export type ValuesOf<Features extends readonly Needed[]> = {
  readonly [F in Features[number] as F["name"]]: ValueOf<F>;
};

/** What a feature opens. */
export type ValueOf<F> = F extends { open(...args: never[]): infer Value }
  ? Awaited<Value>
  : F extends FeatureKey<string, infer Value>
    ? Value
    : never;

/** A placeholder of a feature that its host makes, wherever another needs it. */
export interface FeatureKey<Name extends string = string, Value = unknown> {
  readonly name: Name;
  /** For the type alone. */
  readonly value?: Value;
}

/** Something a feature can need: a feature, or the key of one that its host makes. */
export type Needed = AnyFeature | FeatureKey;

/** Names a feature that its host makes with options of its own. */
export function featureKey<const Name extends string, Value>(name: Name): FeatureKey<Name, Value> {
  return { name };
}

/** Delegation as turns see it: at most one feature provides it. */
export interface TurnDelegation {
  readonly work: DelegatedWork;
  /** How a task of this role runs; undefined for an unknown one. Asked often, so it answers from memory. */
  role(name: string): TurnRole | undefined;
}

/**
 * What a feature contributes to the engine. Every function receives what `open` returned. They are collected once all
 * features are open, and nothing is added later; only a source of tools brings others while the service runs.
 */
export interface FeatureHooks<Value> {
  /**
   * Tools of the agent, in the order the model is shown them; or a function, for tools that change while the service runs:
   * see `LiveTools`. Live tools stand behind the others, new ones behind those there were. One whose name is bad or taken is
   * left out with a warning; a tool that does not change wins over a live one, a plugin's over an MCP server's. A call
   * that runs ends with the tool it began with.
   */
  tools?(value: Value): readonly AnyTool[] | LiveTools;
  /** Slash commands of operators. */
  commands?(value: Value): CommandSource;
  /** Readers that run behind the journal. */
  readers?(value: Value): readonly JournalReader[];
  /** What fires, by kind, when a durable timer of that kind is due. */
  timers?(value: Value): { readonly [kind: string]: FireTimer };
  /** Statements that become durable in the commit that accepts a task. Called for every task. */
  accompany?(value: Value, task: AcceptedTask, at: number): readonly Statement[];
  /** Called after every commit of a task's events, in order per task. Must not throw. */
  onCommit?(value: Value, view: Readonly<TaskView>, events: readonly CommittedEvent[]): void;
  /** Called for every model call that ended, in the path of its turn: microseconds, and it must not throw. */
  onModelCall?(value: Value, call: ObservedCall): void;
  /**
   * What turns that lead are given in their system text behind the persona: the same bytes while nothing changed. Asked
   * once a turn, so it answers from memory. Blank or undefined: nothing.
   */
  systemText?(value: Value, party: Party): string | undefined;
  /** The `traceparent` header of a model call. At most one feature provides it. */
  traceparent?(value: Value): ((view: Readonly<TaskView>, call: string) => string) | undefined;
  /**
   * What turns recall before their first model call, at once where it reads nothing. At most one feature provides it. It ends within a bound of its own and
   * never rejects; undefined: there is nothing to recall.
   */
  recall?(value: Value): (ask: RecallAsk) => RecalledMemory | Promise<RecalledMemory | undefined> | undefined;
  /**
   * What is open of what it keeps, for a conversation of the operator's: shown before the first model call of its turns, where
   * it is not what they saw last (G26). See `WorkingSource`.
   */
  workingState?(value: Value, ask: WorkingAsk): ReturnType<WorkingSource>;
  /** At most one feature provides it. */
  delegation?(value: Value): TurnDelegation;
  /** Roles, by name, that tasks of its own run in, beside those of delegation. */
  roles?(value: Value): { readonly [name: string]: TurnRole };
  /**
   * Removes what it keeps of an operator's session that is being deleted, or emptied: then `retired` is false, and what goes on
   * in it stays. Must be repeatable.
   */
  forgetSession?(value: Value, session: string, retired: boolean): Promise<void>;
  /** Removes a whole conversation, as retention asks for it. At most one feature provides it. */
  removeSession?(value: Value, session: string): Promise<void>;
  /** True: it removes the whole conversation itself, later. At most one feature provides it. */
  deferRemoval?(value: Value, session: string): Promise<boolean>;
  /** Removes what it keeps of tasks that are being removed. Must be repeatable. */
  forgetTasks?(value: Value, tasks: readonly string[]): Promise<void>;
  /** Changes texts in what it keeps of conversations, as forgetting asks for it. Must be repeatable. */
  rewriteTexts?(value: Value, rewriting: TextRewriting): Promise<void>;
  /** Called every few seconds. Must not throw. */
  tick?(value: Value): void;
  /** One round of retention. `now` is epoch milliseconds. */
  sweep?(value: Value, now: number): Promise<void>;

  /**
   * After every open task of a former process got an owner or an end, and before any of them continues: takes over what
   * that process left.
   */
  recover?(value: Value): Promise<void>;
  /** From here on it may start turns and timers. */
  start?(value: Value): void | Promise<void>;
  /** The engine is about to stop: starts nothing any more. Turns still run. In reverse order. */
  quiesce?(value: Value): void | Promise<void>;
  /** No turn runs any more: ends what runs because of them, within `graceMs`. In reverse order. */
  drain?(value: Value, graceMs: number): void | Promise<void>;
  /** All have drained, readers have written, and every feature is open still: what it removes or writes last. In reverse order. */
  beforeClose?(value: Value): void | Promise<void>;
  /** No turn runs any more and readers have written. Gives back what it holds, within `graceMs`. In reverse order. */
  close?(value: Value, graceMs: number): void | Promise<void>;
}

/** A feature: what it needs, what opens it, and what it contributes. Made by `defineFeature`. */
export interface Feature<
  Name extends string,
  Value,
  Needs extends readonly Needed[],
  Sections extends readonly SettingsSection[],
> extends FeatureHooks<Value> {
  /** Under `core.features`, and in errors. */
  readonly name: Name;
  /** What is open before this one. */
  readonly needs?: Needs;
  /** Settings it reads; the first feature that names a section owns it. */
  readonly sections?: Sections;
  /** Topics it publishes on the bus. */
  readonly topics?: readonly string[];
  /** How its tools are listed to operators. Default: the feature's name. */
  readonly category?: string;
  /** Default `core`. */
  readonly source?: ToolSource;
  /** Opens it. Nothing runs yet: no turn, no timer, no reader. */
  open(
    engine: Engine,
    parts: { readonly needs: ValuesOf<Needs>; readonly settings: SettingsOf<Sections> },
  ): Value | Promise<Value>;
}

/** Any feature. Its members are methods, so a feature of any value is one. */
export interface AnyFeature extends FeatureHooks<unknown> {
  readonly name: string;
  readonly needs?: readonly Needed[];
  readonly sections?: readonly SettingsSection[];
  readonly topics?: readonly string[];
  readonly category?: string;
  readonly source?: ToolSource;
  open(engine: Engine, parts: { readonly needs: object; readonly settings: object }): unknown;
}

type NeededNames<F> = F extends { readonly needs?: infer Needs extends readonly Needed[] }
  ? Needs[number]["name"]
  : never;

/** `unknown` where the list holds whatever its features need; else an object that names what is missing. */
export type Complete<Features extends readonly AnyFeature[]> = [
  Exclude<NeededNames<Features[number]>, Features[number]["name"]>,
] extends [never]
  ? unknown
  : { readonly missing: Exclude<NeededNames<Features[number]>, Features[number]["name"]> };

/** Defines a feature; its types follow from `needs`, `sections` and what `open` returns. */
export function defineFeature<
  const Name extends string,
  Value,
  const Needs extends readonly Needed[] = readonly [],
  const Sections extends readonly SettingsSection[] = readonly [],
>(feature: Feature<Name, Value, Needs, Sections>): Feature<Name, Value, Needs, Sections> {
  return feature;
}
