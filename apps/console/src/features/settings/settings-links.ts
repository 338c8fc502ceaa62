import type { FieldGroup, SettingsSchema } from "../../schema-form/index.ts";

/** A link of the settings screen's navigation. */
export interface SettingsLink {
  readonly path: string;
  readonly label: string;
  /** Sections of the settings that the page edits. */
  readonly sections?: readonly string[];
}

/** Links under a heading. */
export interface LinkGroup {
  readonly title: string;
  /** What the pages are about, one sentence. */
  readonly description: string;
  readonly links: readonly SettingsLink[];
}

/** A page of its own, with the category of the settings that it belongs to. */
interface OwnPage extends SettingsLink {
  readonly category: string;
}

/** The pages that are more than a form of settings. */
export const OWN_PAGES: readonly OwnPage[] = [
  { category: "Identity", path: "/settings/persona", label: "Name and persona", sections: ["identity", "soul"] },
  { category: "Model", path: "/settings/connections", label: "Connections" },
  { category: "Behavior", path: "/settings/subagents", label: "Subagents" },
  { category: "Capabilities", path: "/settings/tools", label: "Tools" },
  { category: "Secrets", path: "/settings/access", label: "Access token" },
  { category: "Secrets", path: "/settings/secrets", label: "Secrets manager", sections: ["secrets_manager"] },
  { category: "Publish", path: "/settings/connect", label: "Connect to this agent" },
  { category: "Publish", path: "/settings/shares", label: "Shared links", sections: ["shares"] },
];

/** The page of what this browser keeps, which is no setting of the service. */
export const APPEARANCE: SettingsLink = { path: "/settings/appearance", label: "Appearance" };

export const ALL_SETTINGS: SettingsLink = { path: "/settings/all", label: "All settings" };

/** The path of the page with the settings of a category. */
export function categoryPath(category: string): string {
  return `${ALL_SETTINGS.path}/${category.toLowerCase()}`;
}

/**
 * The navigation: under the heading of each category its own pages, then the page of its settings where it has any that no
 * page of its own shows.
 */
export function settingsLinks({
  categories,
  groups,
}: {
  readonly categories: SettingsSchema["categories"];
  readonly groups: readonly Pick<FieldGroup, "category" | "section" | "title">[];
}): readonly LinkGroup[] {
  const owned = new Set(OWN_PAGES.flatMap(({ sections = [] }) => sections));
  const listed = categories.flatMap(({ name, title, description }) => {
    const pages = OWN_PAGES.filter(({ category }) => category === name);
    const own = groups.filter(({ category, section }) => category === name && !owned.has(section));
    // Named by what is on it, without what has a page of its own that says more.
    const titles = own.map((group) => group.title).filter((text) => !pages.some(({ label }) => label === text));
    const sections = own.map(({ section }) => section);
    const more = own.length === 0 ? [] : [{ path: categoryPath(name), label: listedTitles(titles) || title, sections }];
    const links = [...pages, ...more];
    return links.length === 0 ? [] : [{ title, description, links }];
  });
  return [
    ...listed,
    { title: "This console", description: "How the console looks in this browser.", links: [APPEARANCE] },
  ];
}

/** Titles that a link shows. */
const SHOWN = 2;

/** `Default model, Prompt cache and 3 more`. */
function listedTitles(titles: readonly string[]): string {
  const shown = titles.length === SHOWN + 1 ? titles : titles.slice(0, SHOWN);
  const rest = titles.length - shown.length;
  return rest === 0 ? shown.join(", ") : `${shown.join(", ")} and ${rest} more`;
}
