import type { Effect } from "@agent-service/plugin-sdk";
import type { ServerTarget } from "../server-target.ts";

/** What happens to definitions that a server changes (M8). */
export type Pinning = "strict" | "new_ok" | "off";

/** Before which calls of a server's tools a person is asked (M5). */
export type ApproveMode = "never" | "marked" | "destructive" | "always";

/** What `oauth` of a server says. */
export interface OauthSettings {
  readonly clientId?: string;
  readonly scopes: readonly string[];
  readonly grant: "authorization_code" | "client_credentials";
}

/** One server as it is configured, with the section's values where it has none of its own. */
export interface McpServerSettings {
  readonly name: string;
  readonly enabled: boolean;
  readonly target: ServerTarget;
  /** Patterns of the server's own names of tools. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Milliseconds a call may take; null: no limit. */
  readonly callTimeoutMs: number | null;
  /** Characters of a result; null: no limit of its own. */
  readonly maxResultChars: number | null;
  readonly pinning: Pinning;
  /** Class by pattern of the server's own names; the first that fits counts. */
  readonly effects: Readonly<Record<string, Effect>>;
  readonly approve: ApproveMode;
  /** Federation turns have its tools. */
  readonly federation: boolean;
  readonly elicitation: boolean;
  readonly sampling: boolean;
  readonly roots: boolean;
  readonly oauth?: OauthSettings;
  /** Names of variables of the service that placeholders may read and its program is given. */
  readonly inheritEnv: readonly string[];
  /** One sentence each. */
  readonly warnings: readonly string[];
}

/** One entry of `mcp.servers`. */
export type McpServerEntry =
  | { readonly kind: "server"; readonly name: string; readonly settings: McpServerSettings }
  | {
      /** It cannot be used; the others can (S8). */
      readonly kind: "misconfigured";
      /** Its own where it is one; else made of it. */
      readonly name: string;
      readonly enabled: boolean;
      /** One sentence that says what to change and repeats nothing of the entry. */
      readonly problem: string;
    };
