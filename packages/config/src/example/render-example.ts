import { stringify } from "yaml";
import { keysOf, objectListItem, type Section, type SectionKey, type SettingMetadata } from "../section/index.ts";

/**
 * Renders the example configuration from the declarations (B50: an example is put in place on
 * first run"). Lines that start with `##` explain; lines that start with `#` are settings at their default, ready to be
 * uncommented. Nothing is set, so that a copied example freezes no default and names no model (R10).
 */
export function renderExample(sections: readonly Section[]): string {
  return `${[HEADER, ...sections.map(renderSection)].join("\n\n")}\n`;
}

const HEADER = [
  "## The configuration of this agent. Everything has a default; this file holds what differs from it.",
  '## A line with a single # is a setting at its default: remove the "# " and change the value.',
  "## Tokens and keys belong in secrets.yaml beside this file, which only its owner may read.",
].join("\n");

function renderSection(section: Section): string {
  const item = section.merge_by === undefined ? undefined : objectListItem(section.schema);
  const lines = prose(section.description, "");
  if (item === undefined)
    return [...lines, `${section.name}:`, ...renderKeys(section, keysOf(section.schema))].join("\n");
  lines.push(`# ${section.name}:`);
  for (const { key, fallback } of keysOf(item)) {
    const field = section.fields[key];
    if (field) lines.push(...prose(`${key}: ${explain(field, fallback ?? null, undefined)}`, "  "));
  }
  return [...lines, ...exampleLines(section)].join("\n");
}

function exampleLines(section: Section): string[] {
  if (section.example === undefined) return [];
  const lines = section.example.trimEnd().split("\n");
  return ["  ## For example:", ...lines.map((line) => `  ##   ${line}`.trimEnd())];
}

/**
 * Keys of one level; a dotted key opens its mapping once, at its first key, and open like the section itself: whoever
 * uncomments the key need not think of the mapping too.
 */
function renderKeys(section: Section, keys: readonly SectionKey[]): string[] {
  const lines: string[] = [];
  const opened = new Set<string>();
  for (const { key, fallback } of keys) {
    const steps = key.split(".");
    for (let depth = 1; depth < steps.length; depth++) {
      const parent = steps.slice(0, depth).join(".");
      if (!opened.has(parent)) lines.push(`${"  ".repeat(depth)}${steps[depth - 1]}:`);
      opened.add(parent);
    }
    const indent = "  ".repeat(steps.length);
    const field = section.fields[key];
    if (field) lines.push(...prose(explain(field, fallback, section.variables?.[key]), indent));
    lines.push(`${indent}# ${steps.at(-1)}:${shown(fallback)}`);
  }
  return [...lines, ...exampleLines(section)];
}

function shown(fallback: unknown): string {
  if (fallback === undefined) return "";
  return ` ${stringify(fallback, { collectionStyle: "flow", lineWidth: 0 }).trim()}`;
}

function explain(field: SettingMetadata, fallback: unknown, variable: VariableRule | undefined): string {
  const notes = [field.description];
  if (field.options)
    notes.push(`One of: ${field.options.map((option) => (option === "" ? '""' : option)).join(", ")}.`);
  if (field.minimum !== undefined && field.maximum !== undefined)
    notes.push(`From ${field.minimum} to ${field.maximum}.`);
  else if (field.minimum !== undefined) notes.push(`At least ${field.minimum}.`);
  else if (field.maximum !== undefined) notes.push(`At most ${field.maximum}.`);
  if (fallback === undefined) notes.push("Unset by default.");
  if (variable)
    notes.push(
      variable.mode === "override" ? `${variable.variable} overrides it.` : `Falls back to ${variable.variable}.`,
    );
  if (field.type === "secret") notes.push("Secret.");
  if (field.restart === true) notes.push("Needs a restart.");
  return notes.join(" ");
}

type VariableRule = NonNullable<Section["variables"]>[string];

/** Wraps text to lines of at most 110 characters behind `##`. */
function prose(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && indent.length + line.length + word.length > 106) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((part) => `${indent}## ${part}`);
}
