import * as v from "valibot";

const name = v.pipe(
  v.string(),
  v.maxLength(64),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "small letters, digits and single hyphens"),
  v.description("Small letters, digits and single hyphens: the folder's name too."),
);
const tools = v.pipe(
  v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))),
  v.maxLength(64),
  v.description("Names of tools it works with, for people."),
);
const MOST_BODY = 65_536;

/** What may be said of a skill. */
const fields = {
  description: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1_024),
      v.description("What it does, then when to use it: by this the agent finds it."),
    ),
  ),
  prompt_template: v.optional(
    v.pipe(v.string(), v.maxLength(MOST_BODY), v.description("The body, in Markdown: how the work is done.")),
  ),
  body: v.optional(v.pipe(v.string(), v.maxLength(MOST_BODY), v.description("As `prompt_template`, which wins."))),
  tools: v.optional(tools),
  tools_used: v.optional(v.pipe(tools, v.description("As `tools`, which wins."))),
  user_facing: v.optional(v.pipe(v.boolean(), v.description("It is a slash command."))),
  slash: v.optional(
    v.pipe(v.string(), v.regex(/^\/?([a-z][A-Za-z0-9_-]{0,63})?$/), v.description("The command. Blank: the name.")),
  ),
  user_only: v.optional(
    v.pipe(v.boolean(), v.description("Only people begin it: the agent is not given it and cannot load it.")),
  ),
  reason: v.optional(v.pipe(v.string(), v.maxLength(1_000), v.description("Kept with the version."))),
};

export const newSkillBody = v.object({ name: v.optional(name), ...fields });
export const skillChangeBody = v.object(fields);

const rowEntries = {
  id: v.pipe(v.string(), v.description("Its name.")),
  name: v.string(),
  description: v.pipe(v.string(), v.description("Blank where it is broken.")),
  tools_used: v.array(v.string()),
  source: v.pipe(v.literal("disk"), v.description("Every skill is a folder.")),
  confidence: v.pipe(v.number(), v.description("1; 0 where it is broken.")),
  uses: v.pipe(v.number(), v.description("How often it was begun.")),
  last_used: v.pipe(v.nullable(v.string()), v.description("ISO 8601.")),
  changed_at: v.pipe(v.nullable(v.string()), v.description("When its file was changed last, ISO 8601.")),
  user_facing: v.boolean(),
  slash: v.pipe(v.string(), v.description("The command that begins it, without the slash; blank for none.")),
  user_only: v.boolean(),
  tier: v.picklist(["private", "commons"]),
  origin: v.picklist(["user", "learned", "bundled", "commons"]),
  editable: v.boolean(),
  promotable: v.pipe(v.boolean(), v.description("It can be put into the shared commons.")),
  fault: v.pipe(v.nullable(v.string()), v.description("Why it does nothing; null where it is a skill.")),
};

export const skillRow = v.object(rowEntries);
export const skillDetail = v.object({
  ...rowEntries,
  prompt_template: v.pipe(v.string(), v.description("The body. Blank where it is broken.")),
  text: v.pipe(v.string(), v.description("`SKILL.md` as it is.")),
  files: v.pipe(
    v.array(v.object({ path: v.string(), bytes: v.number() })),
    v.description("The other files of its folder, at most 200."),
  ),
});
export const versionRow = v.object({
  version: v.number(),
  at: v.pipe(v.string(), v.description("ISO 8601.")),
  author: v.pipe(v.picklist(["operator", "agent", "hand"]), v.description("`hand`: found in the file.")),
  reason: v.string(),
  session_id: v.pipe(v.nullable(v.string()), v.description("The conversation it was changed in.")),
  chars: v.pipe(v.nullable(v.number()), v.description("Null: it was deleted.")),
  text: v.pipe(v.optional(v.nullable(v.string())), v.description("Of the version that `version` asks for.")),
});
