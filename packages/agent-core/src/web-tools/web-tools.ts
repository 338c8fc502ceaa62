import type { AnyTool } from "@agent-service/plugin-sdk";
import type { Egress } from "../egress/index.ts";
import { chooseSearch } from "./choose-search.ts";
import { FETCH_URL_LIMITS, fetchUrl } from "./fetch-url.ts";
import { createPageReader } from "./page-reader.ts";
import { webSearch } from "./web-search.ts";
import type { WebSearchSectionValue } from "./web-search-section.ts";

/** What the tools need; each is asked at each call, so that changed settings apply at once (S8). */
export interface WebToolsOptions {
  /** The guard of pages. */
  readonly egress: () => Egress;
  /** Who searches, and the guard of searches: only its allow-list has the hosts of `searchHosts`. */
  readonly search: () => { readonly settings: WebSearchSectionValue; readonly egress: Egress };
}

/** `fetch_url` and `web_search` (B80), which share the threads that read pages. */
export function webTools({ egress, search }: WebToolsOptions): readonly AnyTool[] {
  const reader = createPageReader({ timeoutMs: FETCH_URL_LIMITS.readMs });
  const provider = () => chooseSearch(search().settings, { egress: () => search().egress, reader });
  return [webSearch({ provider }), fetchUrl({ egress, reader })];
}
