import type { FieldGroup } from "../../schema-form/index.ts";

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
  readonly links: readonly SettingsLink[];
}

/** Links to the pages that are not categories of settings. */
export const OWN_LINKS: readonly LinkGroup[] = [
  {
    title: "Agent",
    links: [
      { path: "/settings/persona", label: "Name and persona", sections: ["identity", "soul"] },
      { path: "/settings/connections", label: "Connections" },
      { path: "/settings/tools", label: "Tools" },
      { path: "/settings/subagents", label: "Subagents" },
    ],
  },
  {
    title: "Access",
    links: [
      { path: "/settings/connect", label: "Connect to this agent" },
      { path: "/settings/access", label: "Access token" },
      { path: "/settings/shares", label: "Shared links", sections: ["shares"] },
      { path: "/settings/secrets", label: "Secrets manager", sections: ["secrets_manager"] },
    ],
  },
  { title: "This console", links: [{ path: "/settings/appearance", label: "Appearance" }] },
];

/** Returns all links of the screen, with the categories of the settings in their order. */
export function settingsLinks(groups: readonly Pick<FieldGroup, "category" | "section">[]): readonly LinkGroup[] {
  const categories = Map.groupBy(groups, ({ category }) => category);
  const all = [
    { path: "/settings/all", label: "All settings" },
    ...[...categories].map(([label, members]) => ({
      path: `/settings/all/${label.toLowerCase()}`,
      label,
      sections: members.map(({ section }) => section),
    })),
  ];
  return [...OWN_LINKS, { title: "Settings", links: all }];
}
