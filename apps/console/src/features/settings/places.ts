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
const OWN: readonly PlaceGroup[] = [
  { title: "This console", places: [{ path: "/settings/appearance", label: "Appearance" }] },
];

/** The places of the screen, with the categories of the settings in their order. */
export function settingsPlaces(categories: readonly string[]): readonly PlaceGroup[] {
  const all = [
    { path: "/settings/all", label: "All settings" },
    ...categories.map((label) => ({ path: `/settings/all/${label.toLowerCase()}`, label })),
  ];
  return [...OWN, { title: "Settings", places: all }];
}
