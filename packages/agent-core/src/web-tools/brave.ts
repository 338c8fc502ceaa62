import { askProvider, type ProviderLine } from "./ask-provider.ts";
import { entriesOf, member, notResults, parseAnswer } from "./json-answer.ts";
import { markupToText } from "./markup-to-text.ts";
import type { SearchProvider } from "./search-provider.ts";

const NAME = "Brave Search";
const ADDRESS = "https://api.search.brave.com/res/v1/web/search";

const WRONG_KEY = "Brave Search refuses the key. A person has to correct web_search.api_key.";
const REFUSALS = {
  401: WRONG_KEY,
  403: WRONG_KEY,
  402: "Brave Search refuses the key: its plan is used up. A person has to renew it.",
  // The status of a wrong key and of a query of more than 50 words.
  422: "Brave Search refuses the query or the key. Ask with fewer words; if that does not help, a person has to correct web_search.api_key.",
};

/** Where and how the provider is reached; `address` is for tests. */
export interface BraveOptions extends ProviderLine {
  readonly address?: string;
}

/** Searches by the Brave Search API. The key goes into a header, to this address only. */
export function brave(key: string, { address = ADDRESS, ...line }: BraveOptions): SearchProvider {
  return {
    name: NAME,
    async search({ text, count }, context) {
      const url = new URL(address);
      url.search = new URLSearchParams({ q: text, count: String(count), text_decorations: "false" }).toString();
      const headers = { accept: "application/json", "x-subscription-token": key };
      const { text: body } = await askProvider(NAME, line, { url, refusals: REFUSALS, headers }, context);
      const answer = parseAnswer(NAME, body);
      const web = member(answer, "web");
      // A search that finds no page leaves the member out.
      if (web === undefined && member(answer, "type") === "search") return [];
      if (web === undefined) throw notResults(NAME);
      const entries = entriesOf(NAME, member(web, "results"), { title: "title", url: "url", snippet: "description" });
      return entries.map((entry) => ({
        ...entry,
        title: markupToText(entry.title),
        snippet: markupToText(entry.snippet),
      }));
    },
  };
}
