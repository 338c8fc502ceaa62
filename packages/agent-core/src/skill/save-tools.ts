/** How the agent writes skills (K28). What it writes where content from outside was read waits for a person (K8). */
import {
  type AnyTool,
  type ApprovalRequest,
  defineTool,
  type ToolCaller,
  type ToolContext,
} from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { SKILL_LIMITS } from "./skill.ts";
import type { SkillShelf } from "./skill-shelf.ts";
import { OF_SKILLS } from "./skill-tools.ts";
import type { TextChange } from "./text-versions.ts";

export interface SaveToolsOptions {
  readonly shelf: Pick<SkillShelf, "create" | "update" | "remove">;
  /** Takes secrets out of what is stored (S5). */
  readonly redact: (text: string) => string;
}

const INCOGNITO = "This conversation keeps nothing: no skill was changed.";

const name = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(SKILL_LIMITS.name));
const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const description = v.pipe(
  text(SKILL_LIMITS.description),
  v.description("What it does, then when to use it: by this it is found."),
);
const body = v.pipe(text(SKILL_LIMITS.fileBytes), v.description("Markdown: how the work is done."));
const tools = v.optional(v.nullable(v.pipe(v.array(text(64)), v.maxLength(64))));
const reason = text(1_000);
const session = v.optional(v.pipe(text(512), v.description("The conversation it comes from; default: this one.")), "");

/** `save_skill`. */
export function saveSkillTool({ shelf, redact }: SaveToolsOptions): AnyTool {
  return defineTool({
    name: "save_skill",
    description:
      "Save how a kind of work is done as a new skill for all later conversations. Read the skill write-a-skill first. It refuses a name that is taken.",
    input: v.object({
      name: v.pipe(name, v.description("Small letters, digits and single hyphens: monthly-invoices.")),
      description,
      body,
      tools,
      provenance_reason: v.optional(v.pipe(reason, v.description("Why it is worth keeping.")), ""),
      source_session_id: session,
    }),
    effect: "idempotent",
    ...OF_SKILLS,
    present: { asks: "Save the skill {name}?", doing: "Saving the skill {name}", done: "Saved the skill {name}" },
    approval: ({ name, description, body }, { caller }) =>
      waits(caller, `Save the skill ${name}?`, `${description}\n\n${body}`),
    async run({ name, description, body, tools, provenance_reason: why, source_session_id: from }, context) {
      if (context.caller.incognito) return INCOGNITO;
      const fields = { description: redact(description), body: redact(body), tools: tools ?? [] };
      const head = { metadata: { origin: "learned" } };
      const { version } = await shelf.create(name, fields, changeOf(context, redact(why), from), head);
      return `Saved the skill '${name}' (version ${version}).`;
    },
  });
}

/** `update_skill`, `delete_skill`: where the agent may improve its skills by itself. */
export function improveTools({ shelf, redact }: SaveToolsOptions): readonly AnyTool[] {
  return [
    defineTool({
      name: "update_skill",
      description: "Correct or extend a skill of the operator's folder. What is left out stays as it is.",
      input: v.object({
        name,
        description: v.optional(description),
        body: v.optional(v.pipe(body, v.description("The whole body anew."))),
        reason: v.pipe(reason, v.nonEmpty(), v.description("What was wrong with it.")),
        tools,
        source_session_id: session,
      }),
      effect: "idempotent",
      ...OF_SKILLS,
      present: {
        asks: "Change the skill {name}?",
        doing: "Changing the skill {name}",
        done: "Changed the skill {name}",
      },
      approval: ({ name, description = "", body = "" }, { caller }) =>
        waits(caller, `Change the skill ${name}?`, `${description}\n\n${body}`),
      async run({ name, description, body, tools, reason, source_session_id: from }, context) {
        if (context.caller.incognito) return INCOGNITO;
        const fields = {
          ...(description && { description: redact(description) }),
          ...(body && { body: redact(body) }),
          ...(tools && { tools }),
        };
        const { version } = await shelf.update(name, fields, changeOf(context, redact(reason), from));
        return `Changed the skill '${name}' (version ${version}).`;
      },
    }),
    defineTool({
      name: "delete_skill",
      description: "Delete a skill of the operator's folder that is wrong or superseded. The operator can restore it.",
      input: v.object({ name, reason: v.pipe(reason, v.nonEmpty()), source_session_id: session }),
      effect: "idempotent",
      ...OF_SKILLS,
      present: {
        asks: "Delete the skill {name}?",
        doing: "Deleting the skill {name}",
        done: "Deleted the skill {name}",
      },
      approval: ({ name, reason }, { caller }) => waits(caller, `Delete the skill ${name}?`, reason),
      async run({ name, reason, source_session_id: from }, context) {
        if (context.caller.incognito) return INCOGNITO;
        await shelf.remove(name, changeOf(context, redact(reason), from));
        return `Deleted the skill '${name}'.`;
      },
    }),
  ];
}

function changeOf({ callId, contextId, taskId }: ToolContext, reason: string, from: string): TextChange {
  return { author: "agent", reason, session: from || contextId, task: taskId, call: callId };
}

function waits({ tainted }: ToolCaller, title: string, detail: string): ApprovalRequest | undefined {
  if (!tainted) return undefined;
  const shown = detail.trim().slice(0, 4_000).toWellFormed();
  return { title, detail: `This conversation holds content from outside.\n\n${shown}`, always: true };
}
