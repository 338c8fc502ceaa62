/**
 * Saves every change of an operator to the files and the running service.
 *
 * 1. Hidden keys, and keys set by a layer above the files, are refused (B59 `settings`; O6).
 * 2. The change is loaded before it is written; a value its section refuses is an error here, not a default.
 * 3. The written change takes effect before the response.
 */
import {
  type ConfigProblem,
  describeProvenance,
  isSecret,
  isSecurity,
  type Section,
  type SettingEdit,
  saveConfig,
} from "@agent-service/config";
import { Problem } from "@agent-service/operator-api";
import { StartupError } from "../cli/index.ts";
import type { LiveSettings } from "./live-settings.ts";
import { keepMachineEntries, refuseStaying } from "./machine-entries.ts";
import { problemOf } from "./save-problem.ts";
import { SECTIONS } from "./sections.ts";
import { isHidden, ownerOf } from "./setting-views.ts";
import type { ServerSettings } from "./settings.ts";
import { refuseKeyElsewhere } from "./stored-keys.ts";

export interface SaveOptions {
  readonly layer?: "agent" | "host" | undefined;
  readonly revision?: string | undefined;
  /** Checks the resulting settings before anything is written; throws to refuse. */
  readonly before?: (candidate: ServerSettings) => Promise<void>;
  /** Asked before a change of what protects the machine, or of a secret: why it is not this caller's (F15, S8). */
  readonly refuseDecision?: (() => Promise<string | undefined>) | undefined;
  /** The change also completes setup: the result is checked as for a start. */
  readonly completesSetup?: boolean;
}

/** The result of a save, as every route returns it. */
export interface Saved {
  readonly ok: true;
  readonly messages: readonly string[];
  readonly restart_required: readonly string[];
  readonly revision: string;
}

export interface SettingsSaver {
  /** @throws Problem 400, 409 */
  save(edits: readonly SettingEdit[], options?: SaveOptions): Promise<Saved>;
}

export function keyOfEdit({ section, entry, key }: SettingEdit): string {
  return [section, entry, key].filter((part) => part !== undefined).join(".");
}

/** Creates the function that saves to a running service. */
export function createSettingsSaver(live: LiveSettings): SettingsSaver {
  const { settings } = live;

  async function write(edits: readonly SettingEdit[], options: SaveOptions): Promise<Saved> {
    const { layer, revision, before, completesSetup = false } = options;
    for (const edit of edits) refuseUnwritable(settings, keyOfEdit(edit));
    const refused = edits.some(protects) ? await options.refuseDecision?.() : undefined;
    if (refused !== undefined) throw new Problem(403, refused);
    let candidate: ServerSettings | undefined;
    const request = {
      home: settings.paths.home,
      configDir: settings.paths.configDir,
      sections: SECTIONS,
      edits: layer === "host" ? edits : keepMachineEntries(SECTIONS, settings, edits),
      layer,
      revision,
      check(texts: Parameters<typeof live.preview>[0]) {
        candidate = previewOf(() => live.preview(texts, { completesSetup }), edits);
        const refused = candidate.loaded.warnings.find((warning) => concerns(warning, edits));
        if (refused !== undefined) throw new Problem(400, messageOf(refused));
        refuseKeyElsewhere(settings, candidate, edits);
        // Setup adds a connection to those of the host's file.
        if (!completesSetup) refuseStaying(SECTIONS, candidate, edits);
      },
    };
    if (before !== undefined) {
      await saveConfig({ ...request, dryRun: true });
      if (candidate !== undefined) await before(candidate);
    }
    const saved = await saveConfig(request);
    const outcome = live.reload();
    if (!outcome.ok) throw new Problem(400, `Saved, but refused: ${outcome.rejected.reason}`);
    return {
      ok: true,
      messages: messagesOf(edits, saved),
      restart_required: live.restartRequired(),
      revision: saved.revision,
    };
  }

  return {
    async save(edits, options = {}) {
      try {
        return await write(edits, options);
      } catch (error) {
        throw problemOf(error);
      }
    },
  };
}

/** Whether an edit touches a security section or a secret (S8); one of a whole section or entry touches all of its keys. */
function protects({ section: name, key }: SettingEdit): boolean {
  const section: Section | undefined = SECTIONS.find((one) => one.name === name);
  if (section === undefined || section.security === true) return true;
  const keys = [...Object.keys(section.fields), ...(section.secrets ?? [])];
  return keys.some((one) => isTouched(one, key) && (isSecurity(section, one) || isSecret(section, one)));
}

function isTouched(key: string, edited: string | undefined): boolean {
  return edited === undefined || key === edited || key.startsWith(`${edited}.`) || edited.startsWith(`${key}.`);
}

function refuseUnwritable(settings: ServerSettings, key: string): void {
  if (isHidden(settings.loaded.values.settings.hidden, key))
    throw new Problem(400, `${key} is hidden and cannot be changed here.`);
  const section = SECTIONS.find(({ name }) => key === name || key.startsWith(`${name}.`));
  const owner = section && ownerOf({ section, key, from: settings.provenance.get(key) ?? { layer: "default" } });
  if (owner !== undefined) throw new Problem(400, `${key} is set by ${owner}, which a saved value would not change.`);
}

/**
 * The settings after the change. For a sent value the refusal names its key and not the file and line that it
 * would have had.
 */
function previewOf(preview: () => ServerSettings, edits: readonly SettingEdit[]): ServerSettings {
  try {
    return preview();
  } catch (error) {
    const problem = error instanceof StartupError ? error.problem : undefined;
    if (problem === undefined || !concerns(problem, edits)) throw error;
    throw new Problem(400, messageOf(problem), { cause: error });
  }
}

/** Whether a warning concerns a key of the change. */
function concerns({ code, key }: ConfigProblem, edits: readonly SettingEdit[]): boolean {
  if (key === undefined || code === "open-permissions") return false;
  return edits.some((edit) => {
    const own = keyOfEdit(edit);
    return edit.value !== undefined && (key === own || key.startsWith(`${own}.`) || own.startsWith(`${key}.`));
  });
}

/** A warning as a refusal: without file and line, which the operator did not write, and without its fallback. */
function messageOf({ message, from }: ConfigProblem): string {
  const where = from === undefined ? "" : `${describeProvenance(from)}: `;
  const bare = message.startsWith(where) ? message.slice(where.length) : message;
  return bare.replace(/(; the default is used|; the entry is left out|, ignored)/, "");
}

function messagesOf(
  edits: readonly SettingEdit[],
  { moved, warnings }: { readonly moved: readonly string[]; readonly warnings: readonly string[] },
): string[] {
  const keys = edits.map(keyOfEdit);
  const shown = keys.length > 10 ? `${keys.slice(0, 10).join(", ")} and ${keys.length - 10} more` : keys.join(", ");
  return [
    ...(keys.length === 0 ? ["Nothing changed."] : [`Saved: ${shown}.`]),
    ...moved.map((key) => `${key} moved to secrets.yaml.`),
    ...warnings,
  ];
}
