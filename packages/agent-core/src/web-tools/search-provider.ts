import type { ToolContext } from "@agent-service/plugin-sdk";
import type { SearchEntry } from "./page-message.ts";

export interface SearchQuery {
  /** 1 to 400 characters: what the strictest provider takes. */
  readonly text: string;
  /** Results wanted, 1 to 10. A provider may give more or fewer. */
  readonly count: number;
}

/** The call a search belongs to. */
export type SearchContext = Pick<ToolContext, "signal" | "log">;

/** The port of search providers. */
export interface SearchProvider {
  /** As people and the model read it. */
  readonly name: string;
  /** Entries in the provider's order, not yet bounded. Rejects with `WebToolError`, or with the signal's reason. */
  search(query: SearchQuery, context: SearchContext): Promise<readonly SearchEntry[]>;
}
