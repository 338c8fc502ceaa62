/** From the text of a `SKILL.md` to a skill, or to what is wrong with it (K27). A fault never quotes the file. */
import { isSkillName, SKILL_LIMITS, type Skill } from "./skill.ts";

/** Reads the YAML of a head; its values are plain data. A host hands it in. */
export type ReadYaml = (
  text: string,
) =>
  | { readonly ok: true; readonly values: { readonly [key: string]: unknown } }
  | { readonly ok: false; readonly line: number; readonly reason: string };

export type ParsedSkill = { readonly ok: true; readonly skill: Skill } | { readonly ok: false; readonly fault: string };

const SLASH = /^[a-z][\w-]{0,63}$/;
const TOOL = /^[\w-]{1,64}$/;
const MOST_TOOLS = 64;

class Fault extends Error {}

/** Parses the text of the `SKILL.md` in a folder of this name. */
export function parseSkill(folder: string, text: string, readYaml: ReadYaml): ParsedSkill {
  try {
    return { ok: true, skill: read(folder, text, readYaml) };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error.message };
    throw error;
  }
}

function read(folder: string, text: string, readYaml: ReadYaml): Skill {
  if (!isSkillName(folder))
    throw new Fault("the folder's name has to be 1 to 64 small letters, digits and single hyphens");
  const { head, body } = divide(text);
  const yaml = readYaml(head);
  if (!yaml.ok) throw new Fault(`line ${yaml.line + 1}: ${yaml.reason}`);
  const { values } = yaml;
  const { name, description } = values;
  if (name !== folder) throw new Fault("name has to be the name of the folder");
  if (typeof description !== "string" || description.trim() === "") throw new Fault("description is missing");
  if (description.length > SKILL_LIMITS.description)
    throw new Fault(`description has more than ${SKILL_LIMITS.description} characters`);
  checkKept(values);
  const slash = own(values, "slash") ?? folder;
  if (typeof slash !== "string") throw new Fault("slash has to be text");
  const command = /^\d/.test(slash) && slash === folder ? `skill-${slash}` : slash.replace(/^\//, "");
  if (!SLASH.test(command)) throw new Fault("slash has to begin with a small letter; letters, digits, _ and - follow");
  return {
    name: folder,
    description: description.trim(),
    body,
    tools: toolsOf(own(values, "tools")),
    userFacing: flag(values, "user_facing"),
    userOnly: flag(values, "user_only"),
    slash: command,
    head: values,
  };
}

/** The head between two lines of `---`, and what follows. */
function divide(text: string): { readonly head: string; readonly body: string } {
  const lines = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (lines.includes("\0")) throw new Fault("it is no text");
  if (!lines.startsWith("---\n")) throw new Fault("it has to begin with a line ---");
  const end = /\n---[ \t]*(?:\n|$)/.exec(lines.slice(3));
  if (end === null) throw new Fault("the line --- that ends the head is missing");
  return { head: lines.slice(4, 3 + end.index + 1), body: lines.slice(3 + end.index + end[0].length).trim() };
}

/** A key of ours: on its own, or under `metadata`, where other programs expect what is not of the format. */
function own(values: { readonly [key: string]: unknown }, key: string): unknown {
  const { metadata } = values;
  const found = values[key] ?? (isMapping(metadata) ? metadata[key] : undefined);
  return found === null ? undefined : found;
}

function flag(values: { readonly [key: string]: unknown }, key: string): boolean {
  const value = own(values, key) ?? false;
  if (value === "true" || value === "false") return value === "true";
  if (typeof value !== "boolean") throw new Fault(`${key} has to be true or false`);
  return value;
}

function toolsOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const tools = typeof value === "string" ? value.split(/[\s,]+/).filter((one) => one !== "") : value;
  const isList = Array.isArray(tools) && tools.every((tool) => typeof tool === "string" && TOOL.test(tool));
  if (!isList) throw new Fault("tools has to be a list of names of tools");
  if (tools.length > MOST_TOOLS) throw new Fault(`tools has more than ${MOST_TOOLS} names`);
  return tools;
}

/** Keys of the format that do nothing here, and are kept. */
function checkKept(values: { readonly [key: string]: unknown }): void {
  for (const key of ["license", "compatibility"])
    if (values[key] != null && typeof values[key] !== "string") throw new Fault(`${key} has to be text`);
  if (values.metadata != null && !isMapping(values.metadata)) throw new Fault("metadata has to be a mapping");
  const allowed = values["allowed-tools"];
  if (allowed != null && typeof allowed !== "string" && !Array.isArray(allowed))
    throw new Fault("allowed-tools has to be text or a list");
}

/** Whether a value is a mapping of YAML. */
export function isMapping(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
