import type { AnyTool } from "@agent-service/plugin-sdk";
import type { CommandSource } from "../command/index.ts";
import type { Statement } from "../database/index.ts";
import type { CommittedEvent, TaskView, TurnContext } from "../event/index.ts";
import type { JournalReader } from "../projection/index.ts";
import type { Party } from "../share/index.ts";
import type { AcceptedTask } from "../task/index.ts";
import type { FireTimer } from "../timer/index.ts";
import type { ToolContribution, ToolSource } from "../tool/index.ts";
import type { ObservedCall, RecallAsk, TurnRole } from "../turn/index.ts";
import { type WorkingSource, withWorkingState } from "../working-state/index.ts";
import type { AnyFeature, FeatureHooks, TurnDelegation } from "./feature.ts";
import { FeatureError, phaseFailed } from "./feature-error.ts";

/** A feature with what its `open` returned. */
export interface OpenFeature {
  readonly feature: AnyFeature;
  readonly value: unknown;
}

/** The tools of one feature, as they are listed to operators. */
export interface ToolGroup {
  readonly category: string;
  readonly source: ToolSource;
  readonly tools: readonly AnyTool[];
}

/** What a feature contributes of tools. */
export interface ContributedTools extends ToolContribution {
  readonly category: string;
}

/** What all features together contribute to the engine. */
export interface Contributions {
  readonly tools: readonly ContributedTools[];
  readonly commands: readonly CommandSource[];
  readonly readers: readonly JournalReader[];
  readonly timers: { readonly [kind: string]: FireTimer };
  readonly delegation: TurnDelegation | undefined;
  /** Of features' own tasks, by name. */
  readonly roles: ReadonlyMap<string, TurnRole>;
  readonly traceparent: ((view: Readonly<TaskView>, call: string) => string) | undefined;
  /** What is remembered, and what is open. */
  readonly recall: ((ask: RecallAsk) => TurnContext | Promise<TurnContext | undefined> | undefined) | undefined;
  accompany(task: AcceptedTask, at: number): readonly Statement[];
  onCommit(view: Readonly<TaskView>, events: readonly CommittedEvent[]): void;
  /** What stands behind the persona; undefined: nothing. */
  systemText(party: Party): string | undefined;
  readonly onModelCall: ((call: ObservedCall) => void) | undefined;
}

const NOTHING: readonly Statement[] = [];

/** What each feature's hook returns, in the order of the list. */
function each<
  Key extends "tools" | "commands" | "readers" | "timers" | "delegation" | "roles" | "traceparent" | "recall",
>(
  open: readonly OpenFeature[],
  hook: Key,
): {
  readonly feature: string;
  readonly of: AnyFeature;
  readonly given: ReturnType<NonNullable<FeatureHooks<unknown>[Key]>>;
}[] {
  return open.flatMap(({ feature, value }) => {
    if (feature[hook] === undefined) return [];
    try {
      const given = feature[hook](value) as ReturnType<NonNullable<FeatureHooks<unknown>[Key]>>;
      return [{ feature: feature.name, of: feature, given }];
    } catch (error) {
      throw phaseFailed("seal", feature.name, error);
    }
  });
}

/** What at most one feature provides. @throws FeatureError feature.conflict */
function only<Given>(
  provided: readonly { readonly feature: string; readonly given: Given | undefined }[],
  what: string,
): Given | undefined {
  const [first, second] = provided.filter(({ given }) => given !== undefined);
  if (first !== undefined && second !== undefined) {
    throw new FeatureError("feature.conflict", second.feature, `${first.feature} provides ${what} already`);
  }
  return first?.given;
}

/** Timers by kind. @throws FeatureError feature.conflict where two features own a kind */
function timersOf(open: readonly OpenFeature[]): Contributions["timers"] {
  const owners = new Map<string, string>();
  const all: { [kind: string]: FireTimer } = {};
  for (const { feature, given } of each(open, "timers")) {
    for (const [kind, fire] of Object.entries(given)) {
      const owner = owners.get(kind);
      if (owner !== undefined)
        throw new FeatureError("feature.conflict", feature, `${owner} owns timers of kind ${kind}`);
      owners.set(kind, feature);
      all[kind] = fire;
    }
  }
  return all;
}

/** Roles by name. @throws FeatureError feature.conflict where two features define one */
function rolesOf(open: readonly OpenFeature[]): Contributions["roles"] {
  const all = new Map<string, TurnRole>();
  for (const { feature, given } of each(open, "roles")) {
    for (const [name, role] of Object.entries(given)) {
      if (all.has(name)) throw new FeatureError("feature.conflict", feature, `there is a role ${name} already`);
      all.set(name, role);
    }
  }
  return all;
}

function workingSources(open: readonly OpenFeature[]): readonly WorkingSource[] {
  return open.flatMap(({ feature, value }) =>
    feature.workingState === undefined ? [] : [(ask) => feature.workingState?.(value, ask)],
  );
}

/** Collects what the open features contribute. @throws FeatureError feature.conflict, feature.seal_failed */
export function collectContributions(
  open: readonly OpenFeature[],
  log: { warn(message: string): void } = { warn: () => {} },
): Contributions {
  const accompanying = open.filter(({ feature }) => feature.accompany !== undefined);
  const committing = open.filter(({ feature }) => feature.onCommit !== undefined);
  const describing = open.filter(({ feature }) => feature.systemText !== undefined);
  const observing = open.filter(({ feature }) => feature.onModelCall !== undefined);
  return {
    tools: each(open, "tools").map(({ of: { name, category = name, source = "core" }, given: tools }) => {
      return { category, source, tools };
    }),
    commands: each(open, "commands").map(({ given }) => given),
    readers: each(open, "readers").flatMap(({ given }) => given),
    timers: timersOf(open),
    delegation: only(each(open, "delegation"), "delegation"),
    roles: rolesOf(open),
    traceparent: only(each(open, "traceparent"), "the trace context"),
    recall: withWorkingState(only(each(open, "recall"), "what turns recall"), workingSources(open), (error) =>
      log.warn(`turns go on without what is open: ${String(error)}`),
    ),
    accompany(task, at) {
      let all = NOTHING;
      for (const { feature, value } of accompanying) {
        const statements = feature.accompany?.(value, task, at) ?? NOTHING;
        if (statements.length > 0) all = all.length === 0 ? statements : [...all, ...statements];
      }
      return all;
    },
    onCommit(view, events) {
      for (const { feature, value } of committing) feature.onCommit?.(value, view, events);
    },
    systemText(party) {
      const texts = describing.map(({ feature, value }) => feature.systemText?.(value, party) ?? "");
      return texts.filter((text) => text !== "").join("\n\n") || undefined;
    },
    onModelCall:
      observing.length === 0
        ? undefined
        : (call) => {
            for (const { feature, value } of observing) feature.onModelCall?.(value, call);
          },
  };
}
