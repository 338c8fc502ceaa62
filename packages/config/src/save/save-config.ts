/**
 * Saves changes of the configuration (B70; O6).
 *
 * 1. Secrets end in the overlay: those of the change, and those found in the live file. One found there never
 *    overwrites the overlay's; when the overlay cannot be written, secrets stay or go inline.
 * 2. A file is replaced whole, or not at all; the overlay before the live file, so that no moment lacks a secret.
 * 3. Two saves never lose one: each reads, changes and writes under a lock, and again when the file was edited by hand
 *    meanwhile.
 * 4. What is refused, by `check` or by this, changed nothing.
 */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../file-write/index.ts";
import type { ConfigTexts } from "../layer/index.ts";
import { makeFolder } from "../paths/index.ts";
import { describeProvenance } from "../provenance/index.ts";
import { isSecret, type Section } from "../section/index.ts";
import { parseYaml, toValue } from "../yaml-file/index.ts";
import { type ConfigEdit, type EditStep, isPlain } from "./edit.ts";
import { editYaml } from "./edit-yaml.ts";
import { LockTimeoutError, withFileLock } from "./file-lock.ts";
import { ConfigSaveError } from "./save-error.ts";

/** One change of a setting by its section. Of a list section `key` begins with the entry's id. */
export interface SettingEdit {
  readonly section: string;
  /** Dotted key inside the section, or `undefined` for all of it. For a list: the field of `entry`, or all of it. */
  readonly key?: string | undefined;
  /** Of a list section: the id of the entry. */
  readonly entry?: string;
  /** `undefined` takes the setting out of the file. A blank secret keeps the stored one. */
  readonly value: unknown;
}

/** What to save and where. */
export interface SaveOptions {
  readonly home: string;
  readonly configDir: string;
  readonly sections: readonly Section[];
  readonly edits: readonly SettingEdit[];
  /** `agent` (default) writes the live file and the overlay, `host` the machine's file. */
  readonly layer?: "agent" | "host" | undefined;
  /** As `revisionOf` answered it; another one is refused. */
  readonly revision?: string | undefined;
  /** Checks the configuration that the texts would give, and throws to refuse. */
  readonly check: (texts: ConfigTexts) => void;
  /** Ends after the check: nothing is written. */
  readonly dryRun?: boolean;
}

/** What a save did. */
export interface SaveResult {
  readonly revision: string;
  /** Keys of secrets that left the live file for the overlay. */
  readonly moved: readonly string[];
  /** For the operator: the overlay could not be written, so secrets are inline. */
  readonly warnings: readonly string[];
}

interface Files {
  readonly host: string;
  readonly file: string;
  readonly secrets: string;
}

const filesOf = ({ home, configDir }: Pick<SaveOptions, "home" | "configDir">): Files => ({
  host: join(home, "host-config.yaml"),
  file: join(configDir, "agent-config.yaml"),
  secrets: join(configDir, "secrets.yaml"),
});

/** A name for what the live file holds now: other bytes, another name. */
export function revisionOf(options: Pick<SaveOptions, "configDir">): string {
  return digest(readText(join(options.configDir, "agent-config.yaml")));
}

/**
 * Makes the changes in the files.
 * @throws ConfigSaveError, or what `check` throws, or an error of the file system
 */
export async function saveConfig(options: SaveOptions): Promise<SaveResult> {
  const files = filesOf(options);
  const target = options.layer === "host" ? files.host : files.file;
  try {
    makeFolder(dirname(target));
    return await withFileLock(
      join(dirname(target), `.${options.layer === "host" ? "host" : "agent"}-config.lock`),
      () => {
        for (let attempt = 0; attempt < 5; attempt++) {
          const saved = options.layer === "host" ? saveHost(options, files) : saveAgent(options, files);
          if (saved !== undefined) return saved;
        }
        throw new ConfigSaveError("busy", `${target}: keeps changing`);
      },
    );
  } catch (error) {
    if (error instanceof LockTimeoutError) throw new ConfigSaveError("busy", error.message, { cause: error });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS")
      throw new ConfigSaveError("broken", `${target} cannot be saved (${code ?? "unknown error"})`, { cause: error });
    throw new ConfigSaveError("managed", `${dirname(target)} cannot be written: its owner manages it elsewhere`, {
      cause: error,
    });
  }
}

function saveHost(options: SaveOptions, files: Files): SaveResult | undefined {
  const secret = options.edits.find((edit) => touchesSecret(options.sections, edit));
  if (secret !== undefined)
    throw new ConfigSaveError("misplaced-secret", `${nameOf(secret)}: secrets never come from the host layer`);
  const text = readText(files.host);
  const edited = change(
    files.host,
    text,
    options.edits.map((edit) => editOf(options.sections, edit)),
  );
  options.check({ host: edited });
  if (options.dryRun === true) return { revision: revisionOf(options), moved: [], warnings: [] };
  if (edited !== (text ?? "") && !replace(files.host, text, edited, 0o644)) return undefined;
  return { revision: revisionOf(options), moved: [], warnings: [] };
}

function saveAgent(options: SaveOptions, files: Files): SaveResult | undefined {
  const { sections } = options;
  const text = readText(files.file);
  const overlayText = readText(files.secrets);
  const edits = options.edits.flatMap((edit) => splitEdit(sections, edit));
  const plain = edits.filter(({ secret }) => !secret).map(({ edit }) => edit);
  const secrets = edits.filter(({ secret }) => secret);

  // Secrets leave the live file first: an entry that is written anew must not take its key along.
  const inline = inlineSecrets(sections, plainOf(files.file, text ?? ""));
  const stored = plainOf(files.secrets, overlayText ?? "");
  const missing = inline.filter(({ path }) => isUnset(at(stored, path)));
  const overlay = change(files.secrets, overlayText, [...missing, ...secrets.map(({ edit }) => edit)]);
  const stripped = inline.map(({ path }): ConfigEdit => ({ path: livePath(sections, path), value: undefined }));
  const bare = change(files.file, text, [...stripped, ...plain]);

  // A save that finds what it asks for, such as one that is repeated because its answer was lost, conflicts with none.
  const changes = bare !== (text ?? "") || overlay !== (overlayText ?? "");
  if (changes && options.revision !== undefined && options.revision !== digest(text))
    throw new ConfigSaveError("revision", "the configuration was changed meanwhile: read it again");

  options.check({ file: bare, secrets: overlay });
  if (options.dryRun === true) return { revision: digest(text), moved: [], warnings: [] };
  const warnings: string[] = [];
  let written = bare;
  if (overlay !== (overlayText ?? "")) {
    const failure = tryReplace(files.secrets, overlayText, overlay);
    if (failure === "changed") return undefined;
    if (failure !== undefined) {
      // B70 rule 3: the value stays inline.
      const inPlace = change(files.file, text, plain);
      const kept = [...missing, ...secrets.map(({ edit }) => edit)].filter(
        ({ path, value }) => !isUnset(value) && hasEntry(sections, plainOf(files.file, inPlace), path),
      );
      written = change(
        files.file,
        inPlace,
        kept.map(({ path, value }) => ({ path: livePath(sections, path), value })),
      );
      warnings.push(`${files.secrets} cannot be written (${failure}): secrets stay in ${files.file}`);
    }
  }
  if (written !== (text ?? "") && !replace(files.file, text, written, 0o600)) return undefined;
  return {
    revision: digest(written),
    moved: warnings.length > 0 ? [] : inline.map(({ path }) => path.map(String).join(".")),
    warnings,
  };
}

/** Replaces the file unless it was changed since it was read; false then. The file's mode stays, links are followed. */
function replace(file: string, before: string | undefined, text: string, mode: number): boolean {
  if (readText(file) !== before) return false;
  const stat = statSync(file, { throwIfNoEntry: false });
  const target = stat === undefined ? file : realpathSync(file);
  writeFileAtomic(target, text, { mode: stat === undefined ? mode : stat.mode & 0o777, when: "replace" });
  return true;
}

/** `undefined` when it was written, `changed`, or the file system's code. */
function tryReplace(file: string, before: string | undefined, text: string): string | undefined {
  try {
    if (readText(file) !== before) return "changed";
    const exists = statSync(file, { throwIfNoEntry: false }) !== undefined;
    writeFileAtomic(exists ? realpathSync(file) : file, text, { mode: 0o600, when: "replace" });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown error";
  }
}

function change(file: string, text: string | undefined, edits: readonly ConfigEdit[]): string {
  plainOf(file, text ?? "");
  return editYaml(text ?? "", edits);
}

function plainOf(file: string, text: string): unknown {
  const parsed = parseYaml(text);
  if (parsed.ok) return toValue(parsed.root);
  const where = describeProvenance({ layer: "file", file, line: parsed.line });
  throw new ConfigSaveError("broken", `${where}: ${parsed.reason}; correct the file first`);
}

/** A setting's change as one of the file, and whether it is a secret's: its path is the overlay's then. */
interface SplitEdit {
  readonly edit: ConfigEdit;
  readonly secret: boolean;
}

/** Separates secrets; one that is blank changes nothing, a whole section or entry that goes takes its secrets along. */
function splitEdit(sections: readonly Section[], setting: SettingEdit): SplitEdit[] {
  const section = sections.find(({ name }) => name === setting.section);
  const { key, entry, value } = setting;
  if (section !== undefined && key !== undefined && isSecret(section, key)) {
    if (typeof value === "string" && value.trim() === "") return [];
    const path: ConfigEdit["path"] = entry === undefined ? [section.name, ...key.split(".")] : [section.name, entry];
    return [{ secret: true, edit: { path, value } }];
  }
  const own = { secret: false, edit: editOf(sections, setting) };
  if (value !== undefined || section?.secrets === undefined || key !== undefined) return [own];
  return [own, { secret: true, edit: { path: entry === undefined ? [section.name] : [section.name, entry], value } }];
}

function editOf(sections: readonly Section[], { section: name, key, entry, value }: SettingEdit): ConfigEdit {
  const mergeBy = sections.find((section) => section.name === name)?.merge_by;
  const steps: EditStep[] = entry !== undefined && mergeBy !== undefined ? [{ field: mergeBy, is: entry }] : [];
  return { path: [name, ...steps, ...(key === undefined ? [] : key.split("."))], value };
}

/** Where the overlay's `<section>.<id>` is in the live file. */
function livePath(sections: readonly Section[], path: ConfigEdit["path"]): ConfigEdit["path"] {
  const [name, id] = path;
  const section = sections.find((one) => one.name === name);
  if (section?.merge_by === undefined || typeof id !== "string") return path;
  return [name, { field: section.merge_by, is: id }, ...(section.secrets?.[0]?.split(".") ?? [])];
}

/** Whether a secret's entry is in the live file, or is being named by it. */
function hasEntry(sections: readonly Section[], live: unknown, [name, id]: ConfigEdit["path"]): boolean {
  const section = sections.find((one) => one.name === name);
  if (section?.merge_by === undefined) return true;
  const held = isPlain(live) ? live[section.name] : undefined;
  const idField = section.merge_by;
  return Array.isArray(held) && held.some((entry: unknown) => isPlain(entry) && entry[idField] === id);
}

/** The secrets in a live file, at the overlay's paths. */
function inlineSecrets(sections: readonly Section[], value: unknown): ConfigEdit[] {
  return sections.flatMap((section): ConfigEdit[] => {
    const held = isPlain(value) ? value[section.name] : undefined;
    if (section.merge_by === undefined)
      return (section.secrets ?? []).flatMap((key) =>
        found([section.name, ...key.split(".")], at(held, key.split("."))),
      );
    const [secret] = section.secrets ?? [];
    const idField = section.merge_by;
    if (secret === undefined || !Array.isArray(held)) return [];
    return held.flatMap((entry: unknown) => {
      const id = isPlain(entry) ? entry[idField] : undefined;
      return typeof id === "string" ? found([section.name, id], at(entry, secret.split("."))) : [];
    });
  });
}

function found(path: ConfigEdit["path"], value: unknown): ConfigEdit[] {
  return isUnset(value) ? [] : [{ path, value }];
}

function at(value: unknown, path: readonly EditStep[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      isPlain(inner) && typeof step === "string" && Object.hasOwn(inner, step) ? inner[step] : undefined,
    value,
  );
}

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

function touchesSecret(sections: readonly Section[], { section: name, key }: SettingEdit): boolean {
  const section = sections.find((one) => one.name === name);
  return section !== undefined && key !== undefined && isSecret(section, key);
}

const nameOf = ({ section, entry, key }: SettingEdit): string =>
  [section, entry, key].filter((part) => part !== undefined).join(".");

const digest = (text: string | undefined): string =>
  createHash("sha256")
    .update(text ?? "")
    .digest("hex")
    .slice(0, 16);

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
