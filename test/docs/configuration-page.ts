import * as v from "valibot";
import type { Section } from "../../packages/config/src/index.ts";

/** Where the page lies. */
export const CONFIGURATION_PATH = "docs/configuration.md";

const INTRODUCTION = `# Configuration

Made from the declarations of the settings: \`pnpm docs:configuration\` writes this page, and a test holds it against them.

The agent has one live file, \`agent-config.yaml\` in its configuration folder; an example with every key is put there at the
first start. What the file does not say has a default. Later layers win, key by key:

| Layer | What |
|---|---|
| defaults | the tables below |
| fallback variables | count only where no file says anything |
| \`host-config.yaml\` in the home | what all instances of a machine share; never a secret |
| \`agent-config.yaml\` | this agent |
| \`secrets.yaml\` beside it, readable by its owner only | tokens and keys; it wins over secrets written into the live file |
| overriding variables | beat every file |
| flags of the command | beat everything |

Lists replace, but \`providers\` merges by id, field by field. A wrong value falls back to its default with a warning that names
file and line; in a section marked **security**, or of a secret, it refuses the start, and a reload too, while what ran runs on.
A file that is edited while the service runs counts at once, except for what is marked *restart*.
With \`tools.self_config_enabled\` the agent itself may change what is marked *agent*, and nothing else.

\`GET /api/config/explain\` says of every value where it comes from. All variables are listed in the
[server's README](../apps/server/README.md#environment).
`;

/** The page: one table for each section, in the order of the example file. */
export function configurationPage(sections: readonly Section[]): string {
  return [INTRODUCTION, ...sections.map(sectionOf)].join("\n");
}

function sectionOf(section: Section): string {
  const defaults: unknown = section.merge_by === undefined ? v.parse(section.schema, {}) : undefined;
  const rows = Object.keys(section.fields).map((key) => rowOf(section, key, defaults));
  const security = section.security === true ? " **security**" : "";
  const list =
    section.merge_by === undefined
      ? ""
      : `\nA list; entries of one \`${section.merge_by}\` merge. Fields of an entry:\n`;
  const example = section.example === undefined ? "" : `\n\`\`\`yaml\n${section.example.trimEnd()}\n\`\`\`\n`;
  return `## \`${section.name}\`

${section.description}${security}
${list}
| Key | Type | Default | What it is |
|---|---|---|---|
${rows.join("\n")}
${example}`;
}

function rowOf(section: Section, key: string, defaults: unknown): string {
  const field = section.fields[key] as Section["fields"][string];
  const secret = section.secrets?.includes(key) === true || field.type === "secret";
  const { minimum, maximum, options, restart, depends_on, agent_may_change } = field;
  const bounds = [
    ...(options === undefined ? [] : [`One of ${options.map((one) => `\`${one === "" ? '""' : one}\``).join(", ")}.`]),
    ...(minimum === undefined ? [] : [`At least ${minimum}.`]),
    ...(maximum === undefined ? [] : [`At most ${maximum}.`]),
  ];
  const variable = section.variables?.[key];
  const notes = [
    `${field.label}: ${field.description}`,
    ...bounds,
    ...(variable === undefined
      ? []
      : [
          variable.mode === "override"
            ? `\`${variable.variable}\` overrides it.`
            : `Falls back to \`${variable.variable}\`.`,
        ]),
    ...(depends_on === undefined ? [] : [`Only with \`${depends_on.key}\`.`]),
    ...(restart === true ? ["*restart*"] : []),
    ...(agent_may_change === true ? ["*agent*"] : []),
  ];
  const fallback = secret ? "" : shown(valueAt(defaults, key));
  const cells = [`\`${key}\``, secret ? "secret" : field.type, fallback, notes.join(" ")];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function shown(value: unknown): string {
  return value === undefined ? "unset" : `\`${JSON.stringify(value)}\``;
}

function valueAt(value: unknown, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>(
      (at, step) =>
        typeof at === "object" && at !== null ? (at as { readonly [key: string]: unknown })[step] : undefined,
      value,
    );
}
