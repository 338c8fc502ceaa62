import { askProvider, type ProviderLine } from "./ask-provider.ts";
import { entriesOf, member, parseAnswer } from "./json-answer.ts";
import type { SearchProvider } from "./search-provider.ts";
import { WebToolError } from "./web-tool-error.ts";

const NAME = "SearXNG";

const REFUSALS = {
  403: "SearXNG refuses the search: its settings must list json under search.formats, and its limiter must let this service pass. A person has to change that.",
  404: "There is no SearXNG at the configured address. A person has to correct web_search.base_url.",
};

/** The number of engines that an instance reports as unresponsive. */
function silentEngines(answer: unknown): number {
  const list = member(answer, "unresponsive_engines");
  return Array.isArray(list) ? list.length : 0;
}

/** Searches by the JSON API of an operator's SearXNG instance, whose address is `baseUrl`. */
export function searxng(baseUrl: string, line: ProviderLine): SearchProvider {
  return {
    name: NAME,
    async search({ text }, context) {
      const url = new URL(`${baseUrl.replace(/\/+$/, "")}/search`);
      url.search = new URLSearchParams({ q: text, format: "json" }).toString();
      const question = { url, refusals: REFUSALS, headers: { accept: "application/json" } };
      const answer = parseAnswer(NAME, (await askProvider(NAME, line, question, context)).text);
      const entries = entriesOf(NAME, member(answer, "results"), { title: "title", url: "url", snippet: "content" });
      // No results because no engine answered is not the same as nothing found.
      if (entries.length === 0 && silentEngines(answer) > 0) {
        throw new WebToolError("web_search.unavailable", "SearXNG answered, but its search engines did not.");
      }
      return entries;
    },
  };
}
