import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, InlineError, TextField } from "../../../ui/index.ts";
import { bodyOf, draftOf, SkillFields } from "./skill-fields.tsx";
import type { SkillDetail } from "./skill-types.ts";
import { useSkillChange } from "./use-skills.ts";

/** Changes a skill of one's own. */
export function EditSkill({
  skill,
  onDone,
}: {
  readonly skill: SkillDetail;
  readonly onDone: () => void;
}): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const [draft, setDraft] = useState(() => draftOf(skill));
  const [reason, setReason] = useState("");
  const save = useSkillChange(() =>
    operator.put("/api/playbooks/{skill_id}", { params: { skill_id: skill.id }, body: { ...bodyOf(draft), reason } }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined, {
      onSuccess: () => {
        notify({ text: `${skill.name} is saved. It counts from the next turn.`, tone: "good" });
        onDone();
      },
    });
  };
  const isReady = draft.description.trim() !== "" && draft.body.trim() !== "";
  return (
    <form className="flex flex-col gap-4 py-4" onSubmit={submit}>
      <SkillFields draft={draft} name={skill.name} onChange={(part) => setDraft({ ...draft, ...part })} />
      <TextField
        label="Reason"
        hint="Kept with the version. May stay empty."
        maxLength={1_000}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      {save.error !== null && <InlineError error={save.error} />}
      <div>
        <Button kind="primary" type="submit" busy={save.isPending} disabled={!isReady}>
          Save
        </Button>
      </div>
    </form>
  );
}
