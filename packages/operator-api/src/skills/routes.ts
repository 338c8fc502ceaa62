import * as v from "valibot";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";
import { newSkillBody, skillChangeBody, skillDetail, skillRow, versionRow } from "./schema.ts";

const tag = "Skills";
const params = { skill_id: "The skill's name." } as const;
const failures = { 503: "Skills are switched off, or their store cannot be opened." } as const;
const known = { params, failures: { ...failures, 404: "There is no such skill." } } as const;
const changing = {
  ...failures,
  400: "The description or the body is missing.",
  403: "It ships, or is of the shared commons: it cannot be changed here.",
  404: "There is no such skill, or no such version.",
  409: "The name or the command is taken, the skill is broken, or its folder cannot be written.",
} as const;
const one = json(v.object({ enabled: v.literal(true), id: v.string(), skill: skillDetail }));

export const listSkills = defineRoute({
  name: "playbooks.list",
  method: "GET",
  path: "/api/playbooks",
  tag,
  summary: "The skills, by name; broken ones too, with their fault",
  query: pageQuery(v.string(), { defaultLimit: 200, maxLimit: 1_000 }),
  reply: json(
    v.object({
      enabled: v.pipe(v.boolean(), v.description("`skills.enabled`. Off: none is listed.")),
      playbooks: v.array(skillRow),
      ...pageFields,
    }),
  ),
});

export const readSkill = defineRoute({
  name: "playbooks.read",
  method: "GET",
  path: "/api/playbooks/{skill_id}",
  tag,
  summary: "One skill with its body and the names of its files",
  reply: json(v.object({ enabled: v.literal(true), skill: skillDetail })),
  ...known,
});

export const addSkill = defineRoute({
  name: "playbooks.add",
  method: "POST",
  path: "/api/playbooks",
  tag,
  decides: true,
  summary: "Creates a skill: a folder with a SKILL.md, which counts from the next turn",
  body: newSkillBody,
  reply: one,
  failures: changing,
  example: {
    body: {
      name: "weekly-report",
      description: "Writes the weekly report. Use it when asked for the report of a week.",
      prompt_template: "List the issues that were closed since Monday, one line each.",
      user_facing: true,
      slash: "report",
    },
  },
});

export const editSkill = defineRoute({
  name: "playbooks.edit",
  method: "PUT",
  path: "/api/playbooks/{skill_id}",
  tag,
  decides: true,
  summary: "Changes what is sent of a skill; each change is a version",
  params,
  body: skillChangeBody,
  reply: one,
  failures: changing,
});

export const removeSkill = defineRoute({
  name: "playbooks.remove",
  method: "DELETE",
  path: "/api/playbooks/{skill_id}",
  tag,
  decides: true,
  summary: "Deletes a skill; its versions stay, and so do other files of its folder",
  params,
  reply: json(v.object({ enabled: v.literal(true), deleted: v.literal(true) })),
  failures: changing,
});

export const listSkillVersions = defineRoute({
  name: "playbooks.versions",
  method: "GET",
  path: "/api/playbooks/{skill_id}/versions",
  tag,
  summary: "The newest 50 versions of a skill, the newest first; also of one that was deleted",
  query: v.object({
    version: v.optional(
      v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,8}$/), v.description("That version alone, with its text.")),
    ),
  }),
  reply: json(v.object({ enabled: v.literal(true), versions: v.array(versionRow), ...pageFields })),
  ...known,
});

export const restoreSkill = defineRoute({
  name: "playbooks.restore",
  method: "POST",
  path: "/api/playbooks/{skill_id}/restore",
  tag,
  decides: true,
  summary: "Makes an earlier version of a skill the newest one",
  params,
  body: v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999)) }),
  reply: one,
  failures: changing,
});

export const promoteSkill = defineRoute({
  name: "playbooks.promote",
  method: "POST",
  path: "/api/playbooks/{skill_id}/promote",
  tag,
  decides: true,
  summary: "Copies a private skill into the commons that agents of this machine share",
  params,
  reply: json(v.object({ enabled: v.literal(true), promoted: v.literal(true), name: v.string() })),
  failures: {
    ...changing,
    409: "The scope is not `layered`, the skill is broken, has a file that is no text of up to 64 KiB, or cannot be written.",
  },
});

/** A skill on the wire. */
export type SkillRow = v.InferOutput<typeof skillRow>;
/** With its body and files. */
export type SkillDetail = v.InferOutput<typeof skillDetail>;
/** A version of one. */
export type SkillVersionRow = v.InferOutput<typeof versionRow>;

/** What is said of a skill that is made or changed. */
export interface SkillChange {
  readonly description?: string | undefined;
  readonly body?: string | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly userFacing?: boolean | undefined;
  readonly userOnly?: boolean | undefined;
  readonly slash?: string | undefined;
  readonly reason: string;
  /** Asked again under the same one, nothing changes. */
  readonly call: string | undefined;
}

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface SkillsService {
  enabled(): boolean;
  /** By name. `after`: the last name of the page before. */
  list(limit: number, after: string | undefined): readonly Frozen<SkillRow>[];
  read(name: string): Frozen<SkillDetail>;
  create(name: string, change: SkillChange): Promise<Frozen<SkillDetail>>;
  edit(name: string, change: SkillChange): Promise<Frozen<SkillDetail>>;
  remove(name: string, call: string | undefined): Promise<void>;
  /** `version`: that one alone, with its text. */
  versions(name: string, version: number | undefined): Promise<readonly Frozen<SkillVersionRow>[]>;
  restore(name: string, version: number, call: string | undefined): Promise<Frozen<SkillDetail>>;
  promote(name: string): Promise<void>;
}

type Sent = v.InferOutput<typeof skillChangeBody>;

function changeOf(sent: Sent, call: string | undefined): SkillChange {
  return {
    ...{ description: sent.description, body: sent.prompt_template ?? sent.body, slash: sent.slash },
    ...{ tools: sent.tools ?? sent.tools_used, userFacing: sent.user_facing, userOnly: sent.user_only },
    ...{ reason: sent.reason ?? "", call },
  };
}

const enabled = true as const;

export function skillsRoutes(skills: SkillsService): readonly ServedRoute[] {
  const checkOn = (): void => {
    if (!skills.enabled()) throw new Problem(503, "Skills are switched off: skills.enabled.");
  };
  return [
    serve(listSkills, async ({ query: { limit, cursor } }) => {
      if (!skills.enabled()) return { enabled: false, playbooks: [], next_cursor: null };
      const rows = skills.list(limit + 1, cursor);
      const page = rows.slice(0, limit);
      return { enabled, playbooks: page, next_cursor: cursorOf(rows.length > limit ? page.at(-1)?.name : undefined) };
    }),
    serve(readSkill, async ({ params: { skill_id: id } }) => {
      checkOn();
      return { enabled, skill: skills.read(id) };
    }),
    serve(addSkill, async ({ body: { name, ...sent }, requestKey }) => {
      checkOn();
      const change = changeOf(sent, requestKey?.key);
      for (const [key, value] of Object.entries({
        name,
        description: change.description,
        prompt_template: change.body,
      }))
        if (value === undefined || value.trim() === "") throw new Problem(400, `A skill needs ${key}.`);
      const skill = await skills.create(name ?? "", change);
      return { enabled, id: skill.id, skill };
    }),
    serve(editSkill, async ({ params: { skill_id: id }, body, requestKey }) => {
      checkOn();
      const skill = await skills.edit(id, changeOf(body, requestKey?.key));
      return { enabled, id: skill.id, skill };
    }),
    serve(removeSkill, async ({ params: { skill_id: id }, requestKey }) => {
      checkOn();
      await skills.remove(id, requestKey?.key);
      return { enabled, deleted: true as const };
    }),
    serve(listSkillVersions, async ({ params: { skill_id: id }, query: { version } }) => {
      checkOn();
      const versions = await skills.versions(id, version === undefined ? undefined : Number(version));
      return { enabled, versions, next_cursor: null };
    }),
    serve(restoreSkill, async ({ params: { skill_id: id }, body: { version }, requestKey }) => {
      checkOn();
      const skill = await skills.restore(id, version, requestKey?.key);
      return { enabled, id: skill.id, skill };
    }),
    serve(promoteSkill, async ({ params: { skill_id: id } }) => {
      checkOn();
      await skills.promote(id);
      return { enabled, promoted: true as const, name: id };
    }),
  ];
}
