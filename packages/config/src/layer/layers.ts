import type { YamlMap } from "../yaml-file/index.ts";

/** One file of the cascade that exists and could be read. */
export interface FileLayer {
  readonly layer: "host" | "file" | "secrets";
  readonly file: string;
  readonly root: YamlMap;
}

/** The texts of the files of a configuration; `undefined` for a file that does not exist. */
export interface ConfigTexts {
  readonly host?: string | undefined;
  readonly file?: string | undefined;
  readonly secrets?: string | undefined;
}

/** A command-line flag that sets a setting: the flag's name without dashes, and its value. */
export interface FlagValue {
  readonly flag: string;
  readonly value: string | number | boolean;
}

/**
 * Everything that can set a setting, lowest first (B50; B70):
 * defaults, fallback variables, `host`, `file`, `secrets`, overriding variables, `flags`.
 */
export interface Layers {
  readonly files: readonly FileLayer[];
  readonly env: { readonly [variable: string]: string | undefined };
  /** By full dotted key, for example `a2a.description`. */
  readonly flags: { readonly [key: string]: FlagValue };
}
