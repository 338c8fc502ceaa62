import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";
import { failureOf, SelectField, startOf } from "../../../ui/index.ts";
import { EVERY, type Every, type Plain, scheduleOf } from "./builder.ts";
import { ScheduleDetailFields } from "./schedule-detail-fields.tsx";

/** When something is to happen, by plain choices. */
export function ScheduleFields({
  plain,
  onChange,
}: {
  readonly plain: Plain;
  readonly onChange: (plain: Plain) => void;
}): ReactElement {
  return (
    <>
      <SelectField
        label="How often"
        value={plain.every}
        onChange={({ target }) => {
          const every = target.value as Every;
          // What was chosen so far is where a person begins to write fields.
          const cron = every === "cron" && plain.every !== "once" ? scheduleOf(plain) || plain.cron : plain.cron;
          onChange({ ...plain, every, cron });
        }}
      >
        {EVERY.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <ScheduleDetailFields plain={plain} onChange={onChange} />
    </>
  );
}

/** What a schedule means: in words, its next ten times, and what changes of clocks do. */
export function SchedulePreview({
  schedule,
  timezone,
}: {
  readonly schedule: string;
  readonly timezone: string;
}): ReactElement {
  const { operator } = useApi();
  const preview = useQuery({
    queryKey: ["schedule-preview", schedule, timezone],
    queryFn: () => operator.get("/api/scheduler/preview", { query: { schedule, timezone } }),
    enabled: schedule !== "" && timezone !== "",
    retry: false,
  });
  return (
    <section
      aria-label="Next times"
      aria-live="polite"
      className="flex flex-col gap-2 rounded-md bg-sunken p-3 text-sm"
    >
      {schedule === "" && <p className="text-ink-soft">Choose when, and the next times are shown here.</p>}
      {preview.error !== null && <p className="text-bad">{failureOf(preview.error).message}</p>}
      {preview.data !== undefined && (
        <>
          <p className="font-medium">
            {preview.data.words} ({timezone})
          </p>
          <ol className="grid gap-x-6 text-ink-soft sm:grid-cols-2">
            {preview.data.next.map((at) => (
              <li key={at}>{startOf(at, false)}</li>
            ))}
          </ol>
          {preview.data.notes.map((note) => (
            <p key={note.at} className="text-waiting">
              {startOf(note.at, true)}: {note.text}.
            </p>
          ))}
          <p className="text-xs text-ink-soft">Shown in the time zone of this browser.</p>
        </>
      )}
    </section>
  );
}
