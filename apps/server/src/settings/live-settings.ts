/**
 * The settings of a running service (S8): the current values, loading them again, notifying listeners.
 *
 * 1. A reload that is refused changes nothing: what ran, runs on.
 * 2. `settings` always answers from the newest accepted load, and never from two at once within one read.
 * 3. A part that a reload does not change stays the same object, so whoever derived something from it keeps it.
 * 4. A secret that was valid once stays known to the redactor until the process ends.
 */
import { isDeepStrictEqual } from "node:util";
import type { ConfigTexts, Section } from "@agent-service/config";
import { StartupError } from "../cli/index.ts";
import { SECTIONS } from "./sections.ts";
import { loadServerSettings, type ServerSettings, type SettingsOptions } from "./settings.ts";

/** A reload that was refused: why, in one line that names file and line, and when (ISO-8601). */
export interface RejectedReload {
  readonly reason: string;
  readonly at: string;
}

/** The outcome of a reload. `changed` are full dotted keys. */
export type ReloadOutcome =
  | { readonly ok: true; readonly changed: readonly string[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly rejected: RejectedReload };

/** Called after a reload took effect. Must not throw. */
export type SettingsListener = (change: {
  readonly changed: readonly string[];
  readonly warnings: readonly string[];
  /** The load before was refused. */
  readonly repaired: boolean;
}) => void;

/** The settings of a running service. Secrets are in it. */
export interface LiveSettings {
  /** Every field is read anew at each use: what is destructured once is what counted then. */
  readonly settings: ServerSettings;
  /** What the settings are loaded from. */
  readonly options: SettingsOptions;
  /** The last reload, if it was refused; undefined again after one that was not. */
  readonly rejected: RejectedReload | undefined;
  /** Keys whose value differs from the one the process started with, and that count from the next start only. */
  restartRequired(): readonly string[];
  /** Loads everything again. `env` replaces the environment from now on, as a secrets manager's values do. */
  reload(env?: SettingsOptions["env"]): ReloadOutcome;
  /**
   * What the settings would be with these texts instead of the files. Nothing changes.
   * @throws StartupError when they would be refused
   */
  preview(texts: ConfigTexts, options?: { readonly completesSetup?: boolean }): ServerSettings;
  /** `onRejected` is called with reloads that are refused; it must not throw. Returns the function that ends it. */
  subscribe(listener: SettingsListener, onRejected?: (rejected: RejectedReload) => void): () => void;
}

/** Former secrets that are kept for the redactor; beyond it the oldest are forgotten. */
const MAX_SECRETS = 2_000;

/**
 * Loads the settings and keeps them current.
 * @throws StartupError as `loadServerSettings`
 */
export function createLiveSettings(options: SettingsOptions): LiveSettings {
  let env = options.env;
  let current = loadServerSettings(options);
  let rejected: RejectedReload | undefined;
  const atStart = current;
  const listeners = new Map<SettingsListener, ((rejected: RejectedReload) => void) | undefined>();

  function load(): ServerSettings | RejectedReload {
    try {
      return loadServerSettings({ ...options, env, running: true });
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      return { reason: error.message, at: new Date().toISOString() };
    }
  }

  return {
    settings: liveView(() => current),
    options,
    get rejected() {
      return rejected;
    },
    restartRequired: () =>
      changedKeys(atStart.loaded, current.loaded).filter((key) => fieldOf(SECTIONS, key)?.restart === true),
    reload(newEnv = env) {
      const before = env;
      env = newEnv;
      const next = load();
      if (!("loaded" in next)) {
        env = before;
        rejected = next;
        for (const onRejected of listeners.values()) onRejected?.(next);
        return { ok: false, rejected: next };
      }
      const repaired = rejected !== undefined;
      rejected = undefined;
      const changed = changedKeys(current.loaded, next.loaded);
      const warnings = next.warnings.filter((warning) => !current.warnings.includes(warning));
      current = withFormerSecrets(sharing(current, next), current.secrets);
      for (const listener of listeners.keys()) listener({ changed, warnings, repaired });
      return { ok: true, changed, warnings };
    },
    preview: (texts, { completesSetup = false } = {}) =>
      loadServerSettings({ ...options, env, running: true, preview: { texts, completesSetup } }),
    subscribe(listener, onRejected) {
      listeners.set(listener, onRejected);
      return () => void listeners.delete(listener);
    },
  };
}

/** An object with the fields of the settings, each read from the current settings. */
function liveView(current: () => ServerSettings): ServerSettings {
  const view = {};
  for (const key of Object.keys(current()) as (keyof ServerSettings)[])
    Object.defineProperty(view, key, { enumerable: true, get: () => current()[key] });
  return Object.freeze(view) as ServerSettings;
}

/** Invariant 3. */
function sharing(before: ServerSettings, next: ServerSettings): ServerSettings {
  const kept = Object.entries(next).map(([key, value]): [string, unknown] => {
    const old = before[key as keyof ServerSettings];
    return [key, isDeepStrictEqual(old, value) ? old : value];
  });
  return Object.fromEntries(kept) as unknown as ServerSettings;
}

/** Invariant 4. */
function withFormerSecrets(settings: ServerSettings, former: readonly string[]): ServerSettings {
  const all = [...new Set([...settings.secrets, ...former])].slice(0, MAX_SECRETS);
  return all.length === settings.secrets.length ? settings : { ...settings, secrets: all };
}

type Loaded = ServerSettings["loaded"];

/** The dotted keys whose values differ; of a list section its name means all of it. */
function changedKeys(before: Loaded, next: Loaded): string[] {
  return SECTIONS.flatMap((section: Section) => {
    const name = section.name as keyof Loaded["values"];
    const [old, now]: unknown[] = [before.values[name], next.values[name]];
    if (isDeepStrictEqual(old, now)) return [];
    if (section.merge_by !== undefined) return [name];
    return Object.keys(section.fields).flatMap((key) =>
      isDeepStrictEqual(valueAt(old, key), valueAt(now, key)) ? [] : [`${name}.${key}`],
    );
  });
}

function valueAt(value: unknown, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>(
      (at, step) => (typeof at === "object" && at !== null ? (at as { [key: string]: unknown })[step] : undefined),
      value,
    );
}

/** The declaration of a full dotted key; undefined where there is none. */
function fieldOf(sections: readonly Section[], key: string): Section["fields"][string] | undefined {
  const [name = "", ...rest] = key.split(".");
  const section = sections.find((candidate) => candidate.name === name);
  return section?.fields[rest.join(".")];
}
