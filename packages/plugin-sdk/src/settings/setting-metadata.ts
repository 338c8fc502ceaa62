/**
 * What people read about a setting (B50; the field specification of the
 * settings schema, B41). Names are snake_case because forms, files and the operator
 * API read these records as they are (N4).
 */
import type { GenericSchema } from "valibot";

/** How a form edits the value. `json` is a structured value that is edited as a whole. */
export type SettingType = "string" | "text" | "number" | "bool" | "select" | "string_list" | "secret" | "path" | "json";

/** Shows a setting only while another one of the same section has a fitting value. */
export interface SettingDependency {
  /** Dotted key inside the section. */
  readonly key: string;
  readonly equals?: string | number | boolean;
  readonly in?: readonly (string | number | boolean)[];
}

/** One key's description. The schema decides what is valid; this describes it to people. */
export interface SettingMetadata {
  readonly label: string;
  /** One or two sentences, units included. */
  readonly description: string;
  readonly type: SettingType;
  /** True when a change takes effect only at the next start. */
  readonly restart?: boolean;
  /** For `path`: what may be chosen. */
  readonly path_kind?: "dir" | "file";
  readonly options?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly depends_on?: SettingDependency;
  /** Where it is usually set: this instance (`agent`, the default) or the whole machine (`host`). */
  readonly scope?: "agent" | "host";
  /** Marks a key that names a program to run. */
  readonly spawns?: boolean;
  /** As a section's `security`, for this key alone: a wrong value refuses (S8). */
  readonly security?: boolean;
  /**
   * The model may change it with `set_config`; without this it may not. Only for a number, a switch or a choice that
   * tunes how the agent works: never a path, an address or a program, nor what decides what is recorded,
   * kept, allowed or sent, nor a bound of the agent itself.
   */
  readonly agent_may_change?: boolean;
}

/** An environment variable that feeds a key. */
export interface SettingVariable {
  readonly variable: string;
  /** `override` beats every file; `fallback` counts only when no file sets the key. Secrets are always `fallback`. */
  readonly mode: "override" | "fallback";
  /** Its description in the list of variables. Default: the key's description. */
  readonly meaning?: string;
}

/** An environment variable that belongs to a section and feeds none of its keys. */
export interface SectionVariable {
  readonly name: string;
  readonly meaning: string;
  /** Its value is a secret although its name is not that of one. */
  readonly secret?: true;
}

/**
 * One top-level section of the configuration file, declared by the code that uses it: a schema in which every key has
 * a default, and a description per key. Parsing `{}` gives the defaults. A section whose schema is a list (B51
 * `providers`) names the field that identifies an entry in `merge_by`.
 */
export interface SettingsSection<TName extends string = string, TSchema extends GenericSchema = GenericSchema> {
  readonly name: TName;
  /** Its name for people, sentence case. Default: made of `name`. */
  readonly title?: string;
  /** Heading on the settings page that it is listed under; without one, or with an unknown one, `Behavior`. */
  readonly category?: string;
  /** One sentence for the example file and the form's heading. */
  readonly description: string;
  readonly schema: TSchema;
  /** By dotted key inside the section; for a list section, by field of an entry. */
  readonly fields: { readonly [key: string]: SettingMetadata };
  /** Keys (or fields of an entry) that live in the secrets overlay and are never shown. */
  readonly secrets?: readonly string[];
  /**
   * The texts of its value that are secret, so that a redactor knows them; `environment` is the process's. Default: every
   * text in `secrets`.
   */
  secretTexts?(value: never, environment: { readonly [variable: string]: string | undefined }): readonly string[];
  /** True: a wrong value refuses the start or the reload (S8). Otherwise it falls back to the default. */
  readonly security?: boolean;
  /** Variables that feed keys, by dotted key. */
  readonly variables?: { readonly [key: string]: SettingVariable };
  /** Further variables, which the host reads for the section's owner. */
  readonly environment?: readonly SectionVariable[];
  /** For a list section: the field that identifies an entry; layers merge entries of one id field by field. */
  readonly merge_by?: string;
  /** For a list section: fields without which, or with a wrong value in which, an entry is left out. */
  readonly required?: readonly string[];
  /** YAML shown (commented out) under the section in the example file. */
  readonly example?: string;
}
