import type { ProviderLine } from "./ask-provider.ts";
import { brave } from "./brave.ts";
import { duckDuckGo } from "./duckduckgo.ts";
import type { PageReader } from "./page-reader.ts";
import type { SearchProvider } from "./search-provider.ts";
import { searxng } from "./searxng.ts";
import type { WebSearchSectionValue } from "./web-search-section.ts";
import { WebToolError } from "./web-tool-error.ts";

/** Who the settings mean: never someone else than they name, so that no query goes where it should not. */
function meant({ provider, base_url: baseUrl, api_key: key }: WebSearchSectionValue) {
  if (provider !== "auto") return provider;
  if (baseUrl !== "") return "searxng";
  return key === "" ? "duckduckgo" : "brave";
}

/** Replaces a provider that lacks a setting: every search fails with its name. */
function unconfigured(name: string, key: string): SearchProvider {
  return {
    name,
    async search() {
      throw new WebToolError("web_search.not-configured", `${name} cannot search: a person has to set ${key}.`);
    },
  };
}

/** Hosts that the settings name and that may be private: the operator's own SearXNG, if it is the one asked. */
export function searchHosts(settings: WebSearchSectionValue): readonly string[] {
  const isOwn = meant(settings) === "searxng" && settings.base_url !== "";
  return isOwn ? [new URL(settings.base_url).hostname] : [];
}

/** The provider the settings mean. */
export function chooseSearch(
  settings: WebSearchSectionValue,
  line: ProviderLine & { readonly reader: PageReader },
): SearchProvider {
  const { base_url: baseUrl, api_key: key } = settings;
  switch (meant(settings)) {
    case "searxng":
      return baseUrl === "" ? unconfigured("SearXNG", "web_search.base_url") : searxng(baseUrl, line);
    case "brave":
      return key === "" ? unconfigured("Brave Search", "web_search.api_key") : brave(key, line);
    case "duckduckgo":
      return duckDuckGo(line);
  }
}
