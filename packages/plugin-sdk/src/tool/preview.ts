/**
 * What a call would do, as data that clients draw: `kind` names the form. Clients know the forms of `KnownPreview`, which
 * a host checks; what fits none of them is shown as the arguments alone. JSON.
 */
export interface ToolPreview {
  readonly kind: string;
  /**
   * Names what the preview was made from, for example a digest of the file that would be changed. A host remembers the one
   * of when it asked; a later preview with another says that the base changed since. Never shown.
   */
  readonly base?: string;
  readonly [field: string]: unknown;
}

/** The forms of previews that clients draw. */
export type KnownPreview =
  | {
      readonly kind: "command";
      /** Token by token, as it would be executed. */
      readonly argv: readonly string[];
      /** It runs through a shell. */
      readonly shell: boolean;
      readonly project: string;
      /** The folder it runs in. */
      readonly cwd: string;
      readonly network: boolean;
      /** The sandbox it runs in; null: in none. */
      readonly sandbox: string | null;
      /** Names of the environment variables it is given. */
      readonly env: readonly string[];
      /** Seconds. */
      readonly timeout: number;
      /** What else a person should know, for example why it has no network. */
      readonly note?: string;
    }
  | {
      readonly kind: "diff";
      readonly files: readonly { readonly path: string; readonly additions: number; readonly deletions: number }[];
      /** A unified diff. */
      readonly patch: string;
      readonly base?: string;
    }
  | { readonly kind: "delete"; readonly path: string; readonly bytes: number; readonly base?: string }
  | {
      readonly kind: "register";
      readonly path: string;
      readonly is_git: boolean;
      readonly origin: string | null;
      readonly write: boolean;
    }
  | {
      readonly kind: "code";
      /** For highlighting, for example `javascript`. */
      readonly language: string;
      readonly code: string;
    };
