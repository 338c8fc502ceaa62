/** What the engine's turns use, made of its options. */

import type { AgentCoreOptions } from "./agent-core-options.ts";
import type { ApprovalGrants } from "./approval/index.ts";
import type { Clock } from "./clock/index.ts";
import { ConversationCache, DEFAULT_CONTEXT_SETTINGS, DEFAULT_WINDOW_TOKENS } from "./context/index.ts";
import type { Database } from "./database/index.ts";
import { createIdSource } from "./event/index.ts";
import type { FeatureSet } from "./feature/index.ts";
import type { Journal } from "./journal/index.ts";
import type { EngineLog } from "./log/index.ts";
import type { ModelChoice } from "./model/index.ts";
import { createRedactor } from "./redaction/index.ts";
import { enforcementOf, type SealableToolbox, sealableToolbox } from "./tool/index.ts";
import { type ChosenModel, DEFAULT_LIMITS, type TurnDeps, type TurnLimits } from "./turn/index.ts";

/** The current limits; those that a function returns are merged with the defaults once per object. */
function limitsOf(limits: AgentCoreOptions["limits"]): () => TurnLimits {
  if (typeof limits !== "function") {
    const fixed = { ...DEFAULT_LIMITS, ...limits };
    return () => fixed;
  }
  let last: Partial<TurnLimits> = {};
  let whole: TurnLimits = DEFAULT_LIMITS;
  return () => {
    const now = limits();
    if (now !== last) [last, whole] = [now, { ...DEFAULT_LIMITS, ...now }];
    return whole;
  };
}

/** What the engine makes itself. */
export interface OwnParts {
  readonly db: Database;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly grants: ApprovalGrants;
  readonly onProgress: TurnDeps["onProgress"];
  readonly showsIncognito: TurnDeps["showsIncognito"];
  /** Read while turns run, when all features are open. */
  readonly features: Pick<FeatureSet, "contributions">;
}

/** What turns use, with the toolbox that the features' tools go into. */
export type OpenTurnDeps = TurnDeps & { readonly toolbox: SealableToolbox };

/** What turns use, of what the host gave and the engine made. */
export function turnDeps(options: AgentCoreOptions, parts: OwnParts): OpenTurnDeps {
  const { db, journal, clock, grants, features, onProgress, showsIncognito } = parts;
  const log: EngineLog = options.log ?? { info: () => {}, warn: () => {} };
  const { model, persona } = options;
  let last: { readonly choice: ModelChoice; readonly chosen: ChosenModel } | undefined;
  const chooseModel = (value: string | undefined): ChosenModel => {
    const choice = typeof model === "function" ? model(value) : model;
    if (last?.choice !== choice) last = { choice, chosen: chosenModel(choice) };
    return last.chosen;
  };
  const limits = limitsOf(options.limits);
  return {
    db,
    journal,
    conversations: new ConversationCache({ db, statements: journal.statements, clock, log }),
    clock,
    grants,
    ...{ onProgress, showsIncognito },
    toolbox: sealableToolbox({
      warn: (warning) => log.warn(warning),
      ...(options.toolPolicy === undefined ? {} : { policy: options.toolPolicy }),
    }),
    enforcement: options.enforcement === undefined ? () => undefined : enforcementOf(options.enforcement, clock),
    bypassAllowed: options.bypassAllowed ?? (() => true),
    newId: createIdSource(clock),
    get limits() {
      return limits();
    },
    chooseModel,
    context: options.context ?? (() => DEFAULT_CONTEXT_SETTINGS),
    systemText: (party) => features.contributions.systemText(party),
    system: typeof persona === "function" ? persona : () => persona,
    log,
    redactor: options.redactor ?? createRedactor(),
    get onModelCall() {
      return features.contributions.onModelCall;
    },
    get traceparent() {
      return features.contributions.traceparent;
    },
    get recall() {
      return features.contributions.recall;
    },
    get delegated() {
      return features.contributions.delegation?.work;
    },
    role: (name) => features.contributions.roles.get(name) ?? features.contributions.delegation?.role(name),
  };
}

function chosenModel(choice: ModelChoice): ChosenModel {
  const { model, name, settings = {}, windowTokens = DEFAULT_WINDOW_TOKENS, price, fallbacks } = choice;
  const { images, efforts, use, commands } = choice;
  const known = {
    ...(commands === undefined ? {} : { commands }),
    ...(images === undefined ? {} : { images }),
    ...(efforts === undefined ? {} : { efforts }),
    ...(use === undefined ? {} : { use }),
  };
  const chosen: ChosenModel = { model, name, settings, windowTokens, price, ...known, ...explained(choice) };
  return fallbacks === undefined ? chosen : { ...chosen, fallbacks: fallbacks.map(chosenModel) };
}

function explained({ explain }: ModelChoice): Pick<ChosenModel, "explain"> {
  return explain === undefined ? {} : { explain };
}
