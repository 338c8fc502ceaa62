import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { Button, InlineError, ownZone, SelectField, TextArea, TextField } from "../../../ui/index.ts";
import { type CheckDraft, checkOf, draftOf } from "../checks/check.ts";
import { CheckFields } from "../checks/check-fields.tsx";
import { type Plain, plainOf, scheduleOf, USUAL } from "./builder.ts";
import { ScheduleFields, SchedulePreview } from "./schedule-fields.tsx";
import type { ScheduledJob } from "./slot-words.ts";

interface Draft {
  readonly prompt: string;
  readonly timezone: string;
  readonly overlap: ScheduledJob["overlap"];
  readonly fresh: boolean;
}

const OVERLAPS: Readonly<Record<ScheduledJob["overlap"], string>> = {
  skip: "Leave the time out",
  queue: "Run once more afterwards",
  allow: "Run beside it",
};

const ASKED_BEFORE = {
  label: "Ask before each run",
  kinds: ["none", "page", "json"],
  missing: "Without it there is nothing to do: no model is called.",
} as const;

/** A form for a new schedule, or for one that there is. `onDone` is called with its id. */
export function ScheduleForm({
  job,
  onDone,
}: {
  readonly job?: ScheduledJob;
  readonly onDone: (id: string) => void;
}): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const [plain, setPlain] = useState<Plain>(() => (job === undefined ? USUAL : plainOf(job.schedule)));
  const [draft, setDraft] = useState<Draft>(
    () => job ?? { prompt: "", timezone: ownZone(), overlap: "skip", fresh: true },
  );
  const [check, setCheck] = useState<CheckDraft>(() => draftOf(job?.only_if ?? null));
  const schedule = scheduleOf(plain);
  const onlyIf = checkOf(check) as ScheduledJob["only_if"] | undefined;
  const save = useMutation({
    mutationFn: () => {
      const { prompt, timezone, overlap, fresh } = draft;
      // One that stays is not asked for again: what made it may be gone.
      const isSame = JSON.stringify(onlyIf) === JSON.stringify(job?.only_if ?? null);
      const policies = { prompt, overlap, fresh, ...(isSame ? {} : { only_if: onlyIf ?? null }) };
      if (job === undefined)
        return operator.post("/api/scheduler/jobs", {
          body: { ...policies, schedule, timezone },
          idempotencyKey: requestKey(),
        });
      // A schedule that is sent again drops the time that is pending.
      const when = schedule === job.schedule && timezone === job.timezone ? {} : { schedule, timezone };
      return operator.put("/api/scheduler/jobs/{job_id}", {
        params: { job_id: job.id },
        body: { ...policies, ...when },
      });
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ["scheduler"] });
      onDone(saved.job.id);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <TextArea
        label="What to do"
        hint="In full: each run begins with it."
        rows={4}
        maxLength={32_768}
        required
        value={draft.prompt}
        onChange={({ target }) => setDraft({ ...draft, prompt: target.value })}
      />
      <ScheduleFields plain={plain} onChange={setPlain} />
      <ZoneField value={draft.timezone} onChange={(timezone) => setDraft({ ...draft, timezone })} />
      <SchedulePreview schedule={schedule} timezone={draft.timezone.trim()} />
      <PolicyFields draft={draft} onChange={setDraft} />
      <CheckFields {...ASKED_BEFORE} check={check} onChange={setCheck} />
      {save.error !== null && <InlineError error={save.error} />}
      <div>
        <Button
          kind="primary"
          type="submit"
          busy={save.isPending}
          disabled={
            draft.prompt.trim() === "" || schedule === "" || draft.timezone.trim() === "" || onlyIf === undefined
          }
        >
          {job === undefined ? "Create schedule" : "Save"}
        </Button>
      </div>
    </form>
  );
}

function ZoneField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}): ReactElement {
  return (
    <>
      <TextField
        label="Time zone"
        required
        maxLength={64}
        list="time-zones"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id="time-zones">
        {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

function PolicyFields({
  draft,
  onChange,
}: {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}): ReactElement {
  return (
    <div className="grid gap-4 list:grid-cols-2">
      <SelectField
        label="While a run is open"
        value={draft.overlap}
        onChange={({ target }) => onChange({ ...draft, overlap: target.value as Draft["overlap"] })}
      >
        {Object.entries(OVERLAPS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="A run knows"
        value={draft.fresh ? "last" : "all"}
        onChange={({ target }) => onChange({ ...draft, fresh: target.value === "last" })}
      >
        <option value="last">The answer of the run before</option>
        <option value="all">The whole conversation</option>
      </SelectField>
    </div>
  );
}
