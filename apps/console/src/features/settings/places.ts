/** A place of the settings screen. */
export interface SettingsPlace {
  readonly path: string;
  readonly label: string;
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
      { path: "/settings/persona", label: "Name and persona" },
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
      { path: "/settings/secrets", label: "Secrets manager" },
    ],
  },
  { title: "This console", places: [{ path: "/settings/appearance", label: "Appearance" }] },
];

/** The places of the screen, with the categories of the settings in their order. */
export function settingsPlaces(categories: readonly string[]): readonly PlaceGroup[] {
  const all = [
    { path: "/settings/all", label: "All settings" },
    ...categories.map((label) => ({ path: `/settings/all/${label.toLowerCase()}`, label })),
  ];
  return [...OWN_PLACES, { title: "Settings", places: all }];
}
