import type { Section } from "@agent-service/config";
import type { ConfigurationReader } from "@agent-service/operator-api";
import {
  explainedValue,
  isHidden,
  type LoadedValues,
  ownerOf,
  type SettingView,
  settingViews,
  sourceOf,
  type Tree,
  toldValue,
} from "../../settings/index.ts";

/** The sources of the configuration, read at each request. */
export interface ConfigSource {
  readonly sections: readonly Section[];
  readonly loaded: () => LoadedValues;
  /** `settings.hidden`. */
  readonly hidden: () => readonly string[];
  readonly revision: () => string;
  readonly setup: () => { readonly complete: boolean; readonly managed: boolean };
  readonly restartRequired: () => readonly string[];
  readonly rejected: () => { readonly reason: string; readonly at: string } | undefined;
  /** The persona's text; blank while there is none. */
  readonly soul: () => string | Promise<string>;
  /** The variables that the secrets manager fills. */
  readonly fetched: () => readonly string[];
  /** The bundled personas. */
  readonly presets: () => readonly { readonly name: string; readonly content: string }[];
}

/** Reads the live configuration for the operator: secrets blank, hidden keys left out (B70 rule 4, `settings`). */
export function configReader(source: ConfigSource): ConfigurationReader {
  const shown = (): readonly SettingView[] => {
    const hidden = source.hidden();
    return settingViews(source.sections, source.loaded()).filter(({ key }) => !isHidden(hidden, key));
  };
  return {
    async read() {
      const views = shown();
      const owned = views.flatMap((view) => {
        const owner = ownerOf(view);
        return owner === undefined ? [] : [[view.key, owner] as const];
      });
      return {
        config: treeOf(source.sections, views),
        soul: await source.soul(),
        revision: source.revision(),
        managed: source.setup().managed,
        env_owned: Object.fromEntries(owned),
        restart_required: source.restartRequired(),
        rejected: source.rejected() ?? null,
      };
    },
    explain() {
      const fetched = new Set(source.fetched());
      return shown().map((view) => ({
        ...explainedValue(view),
        ...(view.from.layer === "env" &&
          fetched.has(view.from.variable) && {
            source: `${sourceOf(view.from).source}, from the secrets manager`,
          }),
      }));
    },
    preset: (name) => source.presets().find((one) => one.name === name)?.content,
    setupStatus() {
      const { complete, managed } = source.setup();
      return { setup_complete: complete, managed, presets: source.presets().map(({ name }) => name) };
    },
  };
}

/** Sections by name as the file nests them. Keys without a value are left out; a list section is its list. */
function treeOf(sections: readonly Section[], views: readonly SettingView[]): Tree {
  const tree: { [section: string]: unknown } = {};
  for (const section of sections) {
    const own = views.filter((view) => view.section === section && (view.secret || view.value !== undefined));
    if (section.merge_by === undefined) {
      if (own.length > 0) tree[section.name] = nested(own.map((view) => [keyIn(section, view), toldValue(view)]));
      continue;
    }
    const entries = new Map<string, [string, unknown][]>();
    for (const view of own) {
      const [id = "", ...field] = keyIn(section, view).split(".");
      entries.set(id, [...(entries.get(id) ?? []), [field.join("."), toldValue(view)]]);
    }
    if (entries.size > 0) tree[section.name] = [...entries.values()].map(nested);
  }
  return tree;
}

function keyIn(section: Section, { key }: SettingView): string {
  return key.slice(section.name.length + 1);
}

function nested(pairs: readonly (readonly [string, unknown])[]): Tree {
  const tree: { [key: string]: unknown } = {};
  for (const [key, value] of pairs) {
    const steps = key.split(".");
    const last = steps.pop() as string;
    let at = tree;
    for (const step of steps) {
      const inner = (at[step] ?? {}) as { [key: string]: unknown };
      at[step] = inner;
      at = inner;
    }
    at[last] = value;
  }
  return tree;
}
