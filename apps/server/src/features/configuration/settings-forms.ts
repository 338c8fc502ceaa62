import type { Section } from "@agent-service/config";
import type { SettingsReader } from "@agent-service/operator-api";
import { isHidden, isSet, ownerOf, type SettingView, settingViews, sourceOf, toldValue } from "../../settings/index.ts";
import type { ConfigSource } from "./config-reader.ts";

/** The headings of the settings in the order of the page, as people read them; each section names the one it is under. */
const CATEGORIES = [
  { name: "Identity", title: "Agent", description: "Who the agent is and whom it works for." },
  {
    name: "Model",
    title: "Models",
    description: "Which models answer, how they are asked, and how much they are shown.",
  },
  { name: "Behavior", title: "Work", description: "How much the agent does at a time, and whom it delegates to." },
  {
    name: "Capabilities",
    title: "Tools and approvals",
    description: "What the agent can use, where it may reach, and what it asks you first.",
  },
  {
    name: "Files",
    title: "Files and commands",
    description: "How far the agent reaches into files, and what its commands and scripts may do.",
  },
  { name: "Knowledge", title: "Knowledge", description: "What the agent remembers and looks up." },
  {
    name: "Secrets",
    title: "Access and secrets",
    description: "Who may talk to the agent, and where its keys come from.",
  },
  {
    name: "Publish",
    title: "Sharing and other agents",
    description: "What others see of the agent: its card, shared links, and how to connect.",
  },
  { name: "Plugins", title: "Plugins", description: "What plugins bring with them." },
  { name: "Box", title: "This machine", description: "What is kept here and for how long, and what is recorded." },
] as const;

const ORDER: readonly string[] = CATEGORIES.map(({ name }) => name);
const OTHERS = "Behavior";

function categoryOf({ category = OTHERS }: Section): string {
  return ORDER.includes(category) ? category : OTHERS;
}

/** `web_search` is "Web search". */
function titleOf(name: string): string {
  const title = name.replaceAll("_", " ");
  return title.charAt(0).toUpperCase() + title.slice(1);
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
        const { name, title = titleOf(name), description } = section;
        return fields.length === 0
          ? []
          : [{ section: name, title, description, category: categoryOf(section), fields }];
      });
      return {
        categories: [...CATEGORIES],
        groups: groups.toSorted((a, b) => ORDER.indexOf(a.category) - ORDER.indexOf(b.category)),
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
