import type { FieldGroup } from "../../schema-form/index.ts";

/** A place of the settings screen. */
export interface SettingsPlace {
  readonly path: string;
  readonly label: string;
  /** Sections of the settings that are changed there. */
  readonly sections?: readonly string[];
}

/** Places under a heading. */
export interface PlaceGroup {
  readonly title: string;
  readonly places: readonly SettingsPlace[];
}

/** What the screen has besides the categories of the settings themselves. */
export const OWN_PLACES: readonly PlaceGroup[] = [
  {
    title: "Agent",
    places: [
      { path: "/settings/persona", label: "Name and persona", sections: ["identity", "soul"] },
      { path: "/settings/connections", label: "Connections" },
      { path: "/settings/tools", label: "Tools" },
      { path: "/settings/subagents", label: "Subagents" },
    ],
  },
  {
    title: "Access",
    places: [
      { path: "/settings/connect", label: "Connect to this agent" },
      { path: "/settings/access", label: "Access token" },
      { path: "/settings/secrets", label: "Secrets manager", sections: ["secrets_manager"] },
    ],
  },
  { title: "This console", places: [{ path: "/settings/appearance", label: "Appearance" }] },
];

/** The places of the screen, with the categories of the settings in their order. */
export function settingsPlaces(groups: readonly Pick<FieldGroup, "category" | "section">[]): readonly PlaceGroup[] {
  const categories = Map.groupBy(groups, ({ category }) => category);
  const all = [
    { path: "/settings/all", label: "All settings" },
    ...[...categories].map(([label, members]) => ({
      path: `/settings/all/${label.toLowerCase()}`,
      label,
      sections: members.map(({ section }) => section),
    })),
  ];
  return [...OWN_PLACES, { title: "Settings", places: all }];
}
