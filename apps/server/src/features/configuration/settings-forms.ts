import type { Section } from "@agent-service/config";
import type { SettingsReader } from "@agent-service/operator-api";
import { isHidden, isSet, ownerOf, type SettingView, settingViews, sourceOf, toldValue } from "../../settings/index.ts";
import type { ConfigSource } from "./config-reader.ts";

/** Headings in the order of the page; each section names its own. */
const CATEGORIES: readonly string[] = [
  ...["Identity", "Model", "Behavior", "Capabilities", "Knowledge", "Secrets", "Publish", "Plugins", "Box"],
];

const OTHERS = "Behavior";

function categoryOf({ category = OTHERS }: Section): string {
  return CATEGORIES.includes(category) ? category : OTHERS;
}

/**
 * The settings as forms (B41 `GET /api/settings/schema`). Connections have routes of their own, so list sections
 * are not among them.
 */
export function settingsForms(source: ConfigSource): SettingsReader {
  return {
    schema() {
      const hidden = source.hidden();
      const { managed } = source.setup();
      const views = settingViews(source.sections, source.loaded()).filter(({ key }) => !isHidden(hidden, key));
      const groups = source.sections.flatMap((section) => {
        if (section.merge_by !== undefined) return [];
        const fields = views.filter((view) => view.section === section).map((view) => fieldOf(view, managed));
        return fields.length === 0 ? [] : [{ section: section.name, category: categoryOf(section), fields }];
      });
      return {
        groups: groups.toSorted((a, b) => CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category)),
        revision: source.revision(),
      };
    },
  };
}

function fieldOf(view: SettingView, managed: boolean) {
  const { key, section, field, secret, fallback, from } = view;
  const { path_kind, options, minimum, maximum, depends_on } = field;
  return {
    key,
    label: field.label,
    type: secret ? ("secret" as const) : field.type,
    section: section.name,
    description: field.description,
    restart: field.restart === true,
    default: secret ? "" : (fallback ?? null),
    value: toldValue(view),
    scope: field.scope ?? "agent",
    source: sourceOf(from).layer,
    read_only: managed || ownerOf(view) !== undefined,
    ...(secret && { is_set: isSet(view) }),
    ...(path_kind && { path_kind }),
    ...(options && { options }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    // A dependency is named inside its section; a form knows full keys.
    ...(depends_on && { depends_on: { ...depends_on, key: `${section.name}.${depends_on.key}` } }),
  };
}
