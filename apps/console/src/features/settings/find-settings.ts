import type { Find } from "../../shell/index.ts";
import { searchSettings } from "./search-settings.ts";
import { schemaQuery } from "./use-settings.ts";

/** Settings by label, key and description. Without a search none: their pages are among the actions. */
export const findSettings: Find = async (search, { api, queries, limit }) => {
  if (search === "") return [];
  const { groups, categories } = await queries.fetchQuery({ ...schemaQuery(api.operator), staleTime: 60_000 });
  const headingOf = (of: string): string => categories.find(({ name }) => name === of)?.title ?? of;
  return searchSettings(groups, search, headingOf)
    .flatMap(({ title, fields }) => fields.map(({ key, label }) => ({ title, key, label })))
    .slice(0, limit)
    .map(({ title, key, label }) => ({
      ...{ id: `setting-${key}`, label, detail: title, to: `/settings/all?q=${encodeURIComponent(key)}` },
    }));
};
