import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { apiKeySchema, baseUrlSchema } from "../model/index.ts";

/** `auto` decides by what is configured. */
export const SEARCH_PROVIDERS = ["auto", "duckduckgo", "searxng", "brave"] as const;

const schema = v.object({
  provider: v.optional(v.picklist(SEARCH_PROVIDERS), "auto"),
  base_url: v.optional(baseUrlSchema, ""),
  api_key: v.optional(apiKeySchema, ""),
});

export type WebSearchSectionValue = v.InferOutput<typeof schema>;

/** The section `web_search`: who answers the tool of that name (B80 names no keys for it). */
export const webSearchSection = {
  name: "web_search",
  title: "Web search",
  category: "Capabilities",
  description: "Who answers the tool web_search. Queries go to that provider.",
  schema,
  secrets: ["api_key"],
  variables: { api_key: { variable: "WEB_SEARCH_API_KEY", mode: "fallback" } },
  fields: {
    provider: {
      label: "Provider",
      description:
        "auto: searxng when base_url is set, else brave when api_key is set, else duckduckgo, which needs neither and turns frequent searches away.",
      type: "select",
      options: SEARCH_PROVIDERS,
    },
    base_url: {
      label: "Address of SearXNG",
      description:
        "Address of your SearXNG instance, which may be private; its settings must list json under search.formats.",
      type: "string",
    },
    api_key: { label: "Key", description: "Key of the Brave Search API.", type: "secret" },
  },
  example: "base_url: http://searxng.intranet.example:8080",
} as const satisfies SettingsSection;
