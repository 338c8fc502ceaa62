/** `edit_soul` (K29). */
import { type AnyTool, defineTool, type ToolContext } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { EventBus } from "../bus/index.ts";
import { textPatch } from "../file-history/index.ts";
import { editSection, hasSections } from "./edit-section.ts";
import { SkillError } from "./skill-error.ts";
import type { PersonaText, SoulHistory } from "./soul-history.ts";

export interface SoulToolOptions {
  readonly persona: Pick<PersonaText, "text">;
  readonly history: Pick<SoulHistory, "write">;
  /** Whether each edit is asked about. Asked at each call. */
  readonly asks: () => boolean;
  /** Gets `persona.self_edited`. */
  readonly bus: EventBus;
  /** Takes secrets out of what is stored (S5). */
  readonly redact: (text: string) => string;
}

const MOST_BYTES = 64 * 1024;

interface SoulEdit {
  readonly section: string;
  readonly content: string;
  readonly mode: "replace" | "append";
}

/** The tool by which the agent edits its persona, one section at a time. */
export function editSoulTool({ persona, history, asks, bus, redact }: SoulToolOptions): AnyTool {
  /** @throws SkillError invalid */
  const edited = ({ section, content, mode }: SoulEdit): string => {
    const before = persona.text();
    if (content.trim() === "") throw new SkillError("invalid", "the content is empty");
    if (hasSections(content))
      throw new SkillError("invalid", "one call edits one section: headings in it have to begin with ###");
    const after = editSection(before, { section, content: redact(content), mode });
    if (words(after) === words(before)) throw new SkillError("invalid", "the persona says that already");
    if (Buffer.byteLength(after) > MOST_BYTES) throw new SkillError("invalid", "the persona would exceed 64 KiB");
    return after;
  };
  const tryEdited = (edit: SoulEdit): string | undefined => {
    try {
      return edited(edit);
    } catch (error) {
      if (error instanceof SkillError) return undefined;
      throw error;
    }
  };
  const mustAsk = ({ caller }: ToolContext): boolean => asks() || caller.tainted || caller.unattended;
  return defineTool({
    name: "edit_soul",
    description:
      "Edit one section of your own persona, which every later conversation begins with. Use it when the operator asks you to be otherwise from now on.",
    input: v.object({
      section: v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty(),
        v.maxLength(100),
        v.regex(/^[^\r\n#]+$/, "a section is named by its heading, without the ##"),
        v.description("The heading of a ## section; it is made where there is none."),
      ),
      content: v.pipe(v.string(), v.maxLength(MOST_BYTES)),
      mode: v.optional(v.picklist(["replace", "append"]), "replace"),
      reason: v.optional(v.pipe(v.string(), v.maxLength(1_000)), ""),
      source_session_id: v.optional(v.pipe(v.string(), v.maxLength(512)), ""),
    }),
    effect: "idempotent",
    availableTo: ["lead"],
    content: "own",
    present: {
      asks: "Change the section {section} of the persona?",
      doing: "Changing the section {section} of the persona",
      done: "Changed the section {section} of the persona",
    },
    approval(edit, context) {
      if (context.caller.incognito || !mustAsk(context) || tryEdited(edit) === undefined) return undefined;
      const outside = context.caller.tainted ? "This conversation holds content from outside. " : "";
      const why = edit.reason === "" ? "" : `The agent says why: ${redact(edit.reason)}`;
      return { title: `Change the section ${edit.section} of the persona?`, detail: `${outside}${why}`, always: true };
    },
    async preview(edit) {
      const after = tryEdited(edit);
      const before = persona.text();
      const compared = after === undefined ? undefined : await textPatch("SOUL.md", `${before}\n`, `${after}\n`);
      if (compared === undefined) return undefined;
      const { additions, deletions, patch } = compared;
      return { kind: "diff", files: [{ path: "SOUL.md", additions, deletions }], patch };
    },
    async run(edit, { caller, callId, contextId, taskId }) {
      if (caller.incognito) return "This conversation keeps nothing: the persona was not changed.";
      const { section, mode, reason, source_session_id: from } = edit;
      const version = await history.write(() => edited(edit), {
        ...{ author: "agent", reason: redact(reason), session: from || contextId, task: taskId, call: callId },
      });
      bus.publish("persona.self_edited", { section, mode, version });
      return `Changed the section '${section}' of the persona (version ${version}).`;
    },
  });
}

/** A text without its empty lines, which say nothing. */
function words(text: string): string {
  return text.replace(/\n\s*\n/g, "\n").trim();
}
