import type { ListedModel } from "../connections/index.ts";

/** A model of a connection. */
export interface KnownModel extends ListedModel {
  /** `<connection>:<model>`, as a message names it. */
  readonly key: string;
  readonly connection: string;
}

/** Models under a heading. */
export interface ModelSection {
  readonly title: string;
  readonly models: readonly KnownModel[];
}

/** The models as they are offered: the default, favourites, recent ones, then each connection's. Each stands once. */
export function modelSections(
  models: readonly KnownModel[],
  {
    lead,
    favourites,
    recent,
    isSearch,
  }: {
    readonly lead: string | undefined;
    readonly favourites: readonly string[];
    readonly recent: readonly string[];
    /** What is searched for is found below its connection. */
    readonly isSearch: boolean;
  },
): readonly ModelSection[] {
  const byKey = new Map(models.map((model) => [model.key, model]));
  const sections: ModelSection[] = [];
  const take = (title: string, keys: readonly string[]): void => {
    const taken = keys.flatMap((key) => byKey.get(key) ?? []);
    for (const key of keys) byKey.delete(key);
    if (taken.length > 0) sections.push({ title, models: taken });
  };
  take("Default", lead === undefined ? [] : [lead]);
  if (!isSearch) {
    take("Favourites", [...new Set(favourites)]);
    take("Recent", [...new Set(recent)]);
  }
  for (const connection of new Set(models.map((model) => model.connection))) {
    take(
      connection,
      models.filter((model) => model.connection === connection).map(({ key }) => key),
    );
  }
  return sections;
}
