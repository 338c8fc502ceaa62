import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, InlineError, TextField } from "../../../ui/index.ts";
import { bodyOf, EMPTY_SKILL, SkillFields } from "./skill-fields.tsx";
import { nameProblem } from "./skill-words.ts";
import { useSkillChange } from "./use-skills.ts";

/** Makes a skill. */
export function NewSkill({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const [name, setName] = useState("");
  const [draft, setDraft] = useState(EMPTY_SKILL);
  const add = useSkillChange(() => operator.post("/api/playbooks", { body: { name, ...bodyOf(draft) } }));
  const problem = nameProblem(name);
  const isReady = name !== "" && problem === undefined && draft.description.trim() !== "" && draft.body.trim() !== "";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    add.mutate(undefined, {
      onSuccess: () => {
        notify({ text: `${name} counts from the next turn.`, tone: "good" });
        onDone();
      },
    });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <TextField
        label="Name"
        placeholder="weekly-report"
        required
        error={problem}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <SkillFields draft={draft} name={name} onChange={(part) => setDraft({ ...draft, ...part })} />
      {add.error !== null && <InlineError error={add.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={add.isPending} disabled={!isReady}>
          Save it
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
