import { join } from "node:path";
import {
  type ConfigTexts,
  checkSectionNames,
  defaultsOf,
  type FileLayer,
  type FlagValue,
  type Layers,
  type ResolvedSection,
  resolveListSection,
  resolveMapSection,
} from "./layer/index.ts";
import type { ConfigProblem, ProblemSink } from "./problem/index.ts";
import type { Provenance } from "./provenance/index.ts";
import { readOverlay, secretValues } from "./secret/index.ts";
import type { ConfigValues, Section } from "./section/index.ts";
import { readYamlFile, readYamlText, type YamlMap } from "./yaml-file/index.ts";

/** What to load and from where. */
export interface LoadConfigOptions<TSections extends readonly Section[]> {
  /** Folder of `host-config.yaml`. */
  readonly home: string;
  /** Folder of `agent-config.yaml` and `secrets.yaml`. */
  readonly configDir: string;
  readonly env: { readonly [variable: string]: string | undefined };
  readonly sections: TSections;
  /** By full dotted key. */
  readonly flags?: { readonly [key: string]: FlagValue };
  /** Texts to read instead of files, to find out the result of a change before it is written. */
  readonly texts?: ConfigTexts;
  /** Sections that are known but have no owner in this release: no typing errors. */
  readonly reserved?: readonly string[];
}

/** A configuration that may be used. */
export interface LoadedConfig<TSections extends readonly Section[]> {
  readonly ok: true;
  readonly values: ConfigValues<TSections>;
  /** By full dotted key (`model.name`, `providers.<id>.base_url`), every declared key included. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  readonly warnings: readonly ConfigProblem[];
  readonly errors: readonly [];
  /** Every secret among the values, for redaction (S5). */
  readonly secrets: readonly string[];
}

/** A configuration that must not be used: there are no values, so no service can start with half of them (S8). */
export interface RefusedConfig {
  readonly ok: false;
  readonly warnings: readonly ConfigProblem[];
  readonly errors: readonly [ConfigProblem, ...ConfigProblem[]];
}

/**
 * Loads a configuration: defaults, host layer, live file, secrets overlay, environment, flags, the later one winning
 * key by key (B50). Nothing is written and nothing thrown for anything a file can hold;
 * what is wrong comes back as `errors`, which refuse, or `warnings`, which do not (the first 200 of each).
 */
export function loadConfig<const TSections extends readonly Section[]>(
  options: LoadConfigOptions<TSections>,
): LoadedConfig<TSections> | RefusedConfig {
  const errors: ConfigProblem[] = [];
  const warnings: ConfigProblem[] = [];
  const sink: ProblemSink = { error: (problem) => keep(errors, problem), warn: (problem) => keep(warnings, problem) };
  const layers: Layers = { files: readFiles(options, sink), env: options.env, flags: options.flags ?? {} };

  const declared = new Set(options.sections.map(({ name }) => name));
  const reserved = new Set(options.reserved);
  for (const file of layers.files) checkSectionNames(file, declared, reserved, sink);

  const values: { [name: string]: unknown } = {};
  const provenance = new Map<string, Provenance>();
  const secrets = new Set<string>();
  for (const section of options.sections) {
    const resolved = resolveSection(section, layers, sink);
    values[section.name] = resolved.value;
    for (const [key, from] of resolved.provenance) provenance.set(key, from);
    for (const secret of secretValues(section, resolved.value, options.env)) secrets.add(secret);
  }
  const [first, ...rest] = errors;
  if (first !== undefined) return { ok: false, warnings, errors: [first, ...rest] };
  return {
    ok: true,
    values: values as ConfigValues<TSections>,
    provenance,
    warnings,
    errors: [],
    secrets: [...secrets],
  };
}

/** A file can hold tens of thousands of mistakes; no log should carry more than the first ones. */
const MAX_PROBLEMS = 200;

function keep(problems: ConfigProblem[], problem: ConfigProblem): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem);
}

function resolveSection(section: Section, layers: Layers, sink: ProblemSink): ResolvedSection {
  if (section.merge_by === undefined) return resolveMapSection(section, layers, sink);
  const resolved = resolveListSection(section, layers, sink);
  return resolved.value === undefined ? { ...resolved, value: defaultsOf(section) } : resolved;
}

type FileOptions = Pick<LoadConfigOptions<readonly Section[]>, "home" | "configDir" | "texts">;

function readFiles(options: FileOptions, sink: ProblemSink): FileLayer[] {
  const hostFile = join(options.home, "host-config.yaml");
  const configFile = join(options.configDir, "agent-config.yaml");
  const secretsFile = join(options.configDir, "secrets.yaml");
  const { texts = {} } = options;
  const read = (layer: FileLayer["layer"], file: string): YamlMap | undefined => {
    const text = texts[layer];
    if (text !== undefined) return readYamlText(text, { layer, file }, sink);
    if (Object.hasOwn(texts, layer)) return undefined;
    return layer === "secrets" ? readOverlay(file, sink) : readYamlFile(file, layer, sink);
  };
  const layers = [
    { layer: "host", file: hostFile, root: read("host", hostFile) },
    { layer: "file", file: configFile, root: read("file", configFile) },
    { layer: "secrets", file: secretsFile, root: read("secrets", secretsFile) },
  ] as const;
  return layers.flatMap(({ layer, file, root }) => (root === undefined ? [] : [{ layer, file, root }]));
}
