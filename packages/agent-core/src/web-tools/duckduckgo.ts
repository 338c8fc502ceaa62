import { askProvider, type ProviderLine } from "./ask-provider.ts";
import { notResults } from "./json-answer.ts";
import type { PageReader } from "./page-reader.ts";
import type { SearchProvider } from "./search-provider.ts";
import { WebToolError } from "./web-tool-error.ts";

const NAME = "DuckDuckGo";
const ADDRESS = "https://html.duckduckgo.com/html/";

const BLOCKED =
  "DuckDuckGo takes this service for a robot and answers no more searches for now. Try again later, or have a person configure another provider (web_search.provider).";

/** Where and how the provider is reached; `address` is for tests. */
export interface DuckDuckGoOptions extends ProviderLine {
  readonly reader: PageReader;
  readonly address?: string;
}

async function readPage(html: string, reader: PageReader, signal: AbortSignal) {
  try {
    return await reader.read({ kind: "duckduckgo", html }, signal);
  } catch (error) {
    if (error instanceof WebToolError) throw notResults(NAME);
    throw error;
  }
}

/**
 * Searches by the page that DuckDuckGo offers to browsers without scripts; it needs no key. Requests identify the service
 * and solve no captcha, so searches in quick succession are rejected.
 */
export function duckDuckGo({ reader, address = ADDRESS, ...line }: DuckDuckGoOptions): SearchProvider {
  return {
    name: NAME,
    async search({ text }, context) {
      const question = {
        url: new URL(address),
        method: "POST",
        headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ q: text }).toString(),
        refusals: { 403: BLOCKED },
      } as const;
      const answer = await askProvider(NAME, line, question, context);
      const page = await readPage(answer.text, reader, context.signal);
      // The status of its question to people is 202.
      if (page.kind === "entries" && answer.status !== 202) return page.entries;
      if (page.kind === "unknown" && answer.status !== 202) throw notResults(NAME);
      throw new WebToolError("web_search.refused", BLOCKED);
    },
  };
}
