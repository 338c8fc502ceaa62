import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { Button, CheckField, InlineError, TextArea, TextField } from "../../../ui/index.ts";
import { type CheckDraft, checkOf, NO_CHECK } from "../checks/check.ts";
import { CheckFields } from "../checks/check-fields.tsx";

const HOUR_S = 3_600;

interface Draft {
  readonly condition: string;
  readonly prompt: string;
  readonly repeat: boolean;
  /** Hours; blank: for ever. */
  readonly hours: string;
}

/** A form for a new watch. `onDone` is called with its id. */
export function WatchForm({ onDone }: { readonly onDone: (id: string) => void }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({ condition: "", prompt: "", repeat: false, hours: "" });
  const [check, setCheck] = useState<CheckDraft>({ ...NO_CHECK, kind: "page" });
  const asked = checkOf(check);
  const save = useMutation({
    mutationFn: () => {
      const { condition, prompt, repeat, hours } = draft;
      return operator.post("/api/watches", {
        body: {
          ...{ condition, ...asked, repeat, on_change: check.kind === "change" },
          ...{ run_prompt: prompt.trim() === "" ? null : prompt },
          ...(hours !== "" && { expires_in_s: Math.round(Number(hours) * HOUR_S) }),
        },
        idempotencyKey: requestKey(),
      });
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ["watch"] });
      onDone(saved.watch.id);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <TextField
        label="What is watched"
        hint="In words: it stands in the message that a fire brings."
        maxLength={2_000}
        required
        value={draft.condition}
        onChange={({ target }) => setDraft({ ...draft, condition: target.value })}
      />
      <CheckFields label="How it is checked" kinds={["page", "change", "json"]} check={check} onChange={setCheck} />
      <TextArea
        label="What to do then"
        hint="A turn begins with it. Without it there is a message, and no model is called."
        rows={3}
        maxLength={32_768}
        value={draft.prompt}
        onChange={({ target }) => setDraft({ ...draft, prompt: target.value })}
      />
      <CheckField
        label="Go on watching after it fired"
        checked={draft.repeat}
        onChange={({ target }) => setDraft({ ...draft, repeat: target.checked })}
      />
      <TextField
        label="Hours to watch"
        hint="Blank: until it fires or is removed."
        type="number"
        min={1}
        max={8_760}
        value={draft.hours}
        onChange={({ target }) => setDraft({ ...draft, hours: target.value })}
      />
      {save.error !== null && <InlineError error={save.error} />}
      <div>
        <Button
          kind="primary"
          type="submit"
          busy={save.isPending}
          disabled={draft.condition.trim() === "" || asked === undefined}
        >
          Start watching
        </Button>
      </div>
    </form>
  );
}
