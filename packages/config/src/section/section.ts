import type { GenericSchema, InferOutput } from "valibot";

/**
 * What this package reads of a key's description. Structurally a part of plugin-sdk's `SettingMetadata`, repeated here
 * because this package knows no other package of the workspace (architecture rule 1).
 */
export interface SettingMetadata {
  readonly label: string;
  readonly description: string;
  readonly type: "string" | "text" | "number" | "bool" | "select" | "string_list" | "secret" | "path" | "json";
  readonly restart?: boolean;
  readonly path_kind?: "dir" | "file";
  readonly options?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly depends_on?: {
    readonly key: string;
    readonly equals?: string | number | boolean;
    readonly in?: readonly (string | number | boolean)[];
  };
  readonly scope?: "agent" | "host";
  readonly spawns?: boolean;
  readonly security?: boolean;
  readonly agent_may_change?: boolean;
}

/**
 * A section of the configuration, declared by the code that uses it (B50). Every
 * key of `schema` has a default (`v.optional(schema, value)`; no second argument: unset). `v.object` nests; a list of
 * objects is checked entry by entry.
 */
export interface Section<TName extends string = string, TSchema extends GenericSchema = GenericSchema> {
  readonly name: TName;
  /** Its name for people, sentence case. Default: made of `name`. */
  readonly title?: string;
  /** Heading on the settings page that it is listed under; without one, or with an unknown one, `Behavior`. */
  readonly category?: string;
  readonly description: string;
  readonly schema: TSchema;
  /** By dotted key inside the section; for a list section, by field of an entry. */
  readonly fields: { readonly [key: string]: SettingMetadata };
  /** Dotted keys (fields of an entry) that live in the overlay. */
  readonly secrets?: readonly string[];
  /** The texts of its value that are secret. Default: every text in `secrets`. */
  secretTexts?(value: never, environment: { readonly [variable: string]: string | undefined }): readonly string[];
  /** A wrong value refuses (S8). */
  readonly security?: boolean;
  /** Environment variables by dotted key. A secret's variable is always a fallback. */
  readonly variables?: {
    readonly [key: string]: {
      readonly variable: string;
      readonly mode: "override" | "fallback";
      /** Its description in the list of variables. Default: the key's description. */
      readonly meaning?: string;
    };
  };
  /** Environment variables that belong to the section and feed none of its keys: the program reads them itself. */
  readonly environment?: readonly { readonly name: string; readonly meaning: string; readonly secret?: true }[];
  /** For a list section: the field by which layers merge (B51 `providers`, rule 1). */
  readonly merge_by?: string;
  /** For a list section: a wrong value in one of these fields leaves the entry out. */
  readonly required?: readonly string[];
  /** YAML for the example file. */
  readonly example?: string;
}

/** The values of a set of sections: one property per section, typed by its schema. */
export type ConfigValues<TSections extends readonly Section[]> = {
  readonly [S in TSections[number] as S["name"]]: InferOutput<S["schema"]>;
};

/** Whether a wrong value of a dotted key refuses the configuration (S8): of a marked key, or any of a marked section. */
export function isSecurity(section: Section, key: string): boolean {
  return section.security === true || section.fields[key]?.security === true;
}

/** Whether a dotted key of a section is a secret. */
export function isSecret(section: Section, key: string): boolean {
  return section.secrets?.includes(key) === true;
}
