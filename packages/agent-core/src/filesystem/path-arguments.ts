/** What the file tools have in common: how a path is said, and what numbers are clamped to. */
import * as v from "valibot";

/** Other names by which models say the same; the model is shown none of them. */
const ALIASES: { readonly [alias: string]: string } = {
  file_path: "path",
  filePath: "path",
  absolute_path: "path",
  oldString: "old_string",
  old: "old_string",
  newString: "new_string",
  new: "new_string",
  replaceAll: "replace_all",
};

function withKnownNames(value: unknown, known: object): unknown {
  if (typeof value !== "object" || value === null) return value;
  const named = Object.entries(value).map(([name, given]): [string, unknown] => {
    const meant = ALIASES[name];
    const isAlias = meant !== undefined && !(name in known) && meant in known && !(meant in value);
    return [isAlias ? meant : name, given];
  });
  return Object.fromEntries(named);
}

/** The schema of a tool's arguments, which also takes the other names of its keys (F6). */
export function fileArguments<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.object(entries);
  const taking: typeof schema = {
    ...schema,
    "~run": (dataset, config) =>
      schema["~run"]({ ...dataset, value: withKnownNames(dataset.value, entries) } as typeof dataset, config),
  };
  return taking;
}

/** A whole number within bounds; what lies outside of them is brought to the next one. */
export function clamped(least: number, most: number) {
  return v.pipe(
    v.number(),
    v.transform((given) => Math.min(most, Math.max(least, Math.round(given)))),
  );
}

export const pathArgument = v.pipe(v.string(), v.description("Relative to the project, or absolute."));

export const projectArgument = v.optional(
  v.pipe(v.string(), v.description("Its name; needed if there are several.")),
  "",
);

/** In whose turns the file tools exist. What they return is the operator's, but for files of clones. */
export const OF_FILES = { availableTo: ["lead", "subagents"], content: "own" } as const;

/** Whether a real path lies in a clone of somebody else's repository. */
export type IsCloned = (path: string) => boolean;
