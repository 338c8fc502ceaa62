import { type ReactElement, useState } from "react";
import { Markdown } from "../../../markdown/index.ts";
import { CheckField, Choices, TextArea, TextField } from "../../../ui/index.ts";
import type { SkillDetail } from "./skill-types.ts";

/** What a person writes of a skill. */
export interface SkillDraft {
  readonly description: string;
  readonly body: string;
  readonly isCommand: boolean;
  readonly slash: string;
  readonly isUserOnly: boolean;
}

export const EMPTY_SKILL: SkillDraft = { description: "", body: "", isCommand: false, slash: "", isUserOnly: false };

/** What there is of a skill to begin from. */
export function draftOf({
  description,
  prompt_template: body,
  user_facing,
  slash,
  user_only,
  name,
}: SkillDetail): SkillDraft {
  return {
    ...{ description, body, isCommand: user_facing, isUserOnly: user_only },
    slash: slash === name ? "" : slash,
  };
}

/** What is sent of a draft. */
export function bodyOf({ description, body, isCommand, slash, isUserOnly }: SkillDraft) {
  return {
    ...{ description: description.trim(), prompt_template: body, user_facing: isCommand, user_only: isUserOnly },
    slash: isCommand ? slash.trim().replace(/^\//, "") : "",
  };
}

const SIDES = [
  { value: "write", label: "Write" },
  { value: "preview", label: "Preview" },
] as const;

/** The fields of a skill; the body is written or looked at. */
export function SkillFields({
  draft,
  name,
  onChange,
}: {
  readonly draft: SkillDraft;
  readonly name: string;
  readonly onChange: (part: Partial<SkillDraft>) => void;
}): ReactElement {
  const [side, setSide] = useState<"write" | "preview">("write");
  return (
    <>
      <TextArea
        label="Description"
        hint="What it does, then when to use it: by this the agent finds it."
        rows={3}
        maxLength={1_024}
        required
        value={draft.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <div className="flex flex-col gap-1">
        <Choices label="The instructions" options={SIDES} value={side} onChange={setSide} />
        {side === "write" ? (
          <TextArea
            label="Instructions"
            bare
            rows={16}
            className="font-mono text-sm"
            spellCheck={false}
            required
            value={draft.body}
            onChange={({ target }) => onChange({ body: target.value })}
          />
        ) : (
          <div className="min-h-40 rounded-md border border-line px-3 py-2">
            <h2 className="sr-only">Preview</h2>
            {draft.body.trim() === "" ? (
              <p className="text-ink-soft">There is nothing to preview yet.</p>
            ) : (
              <Markdown text={draft.body} />
            )}
          </div>
        )}
      </div>
      <CheckField
        className="gap-2"
        label="Begin it by a slash command"
        checked={draft.isCommand}
        onChange={({ target }) => onChange({ isCommand: target.checked })}
      />
      {draft.isCommand && (
        <TextField
          label="Command"
          hint="Without a command of its own, its name is the command."
          placeholder={name === "" ? "report" : name}
          maxLength={64}
          value={draft.slash}
          onChange={({ target }) => onChange({ slash: target.value })}
        />
      )}
      <CheckField
        className="gap-2"
        label="Only people begin it: the agent is not shown it"
        checked={draft.isUserOnly}
        onChange={({ target }) => onChange({ isUserOnly: target.checked })}
      />
    </>
  );
}
