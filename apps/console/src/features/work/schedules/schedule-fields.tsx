import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";
import { CheckField, failureOf, SelectField, startOf, TextField } from "../../../ui/index.ts";
import { EVERY, type Every, type Plain, STEPS, scheduleOf, WEEKDAYS } from "./builder.ts";

interface PlainProps {
  readonly plain: Plain;
  readonly onChange: (plain: Plain) => void;
}

/** When something is to happen, by plain choices. */
export function ScheduleFields({ plain, onChange }: PlainProps): ReactElement {
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
      <Details plain={plain} onChange={onChange} />
    </>
  );
}

function Details({ plain, onChange }: PlainProps): ReactElement {
  const set = (parts: Partial<Plain>): void => onChange({ ...plain, ...parts });
  const time = (
    <TextField
      label="Time"
      type="time"
      required
      value={plain.time}
      onChange={({ target }) => set({ time: target.value })}
    />
  );
  switch (plain.every) {
    case "day":
    case "weekdays":
      return time;
    case "week":
      return (
        <>
          <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
            <legend className="pb-1 text-sm font-medium">Days</legend>
            {WEEKDAYS.map((name, day) => (
              <CheckField
                key={name}
                label={name}
                checked={plain.days.includes(day)}
                onChange={({ target }) =>
                  set({ days: target.checked ? [...plain.days, day] : plain.days.filter((one) => one !== day) })
                }
              />
            ))}
          </fieldset>
          {time}
        </>
      );
    case "month":
      return (
        <>
          <TextField
            label="Day of the month"
            hint={plain.dayOfMonth > 28 ? "Months without this day are left out." : undefined}
            type="number"
            min={1}
            max={31}
            required
            value={plain.dayOfMonth}
            onChange={({ target }) => set({ dayOfMonth: Number(target.value) })}
          />
          {time}
        </>
      );
    case "hour":
      return (
        <TextField
          label="Minutes past the hour"
          type="number"
          min={0}
          max={59}
          required
          value={plain.minute}
          onChange={({ target }) => set({ minute: Number(target.value) })}
        />
      );
    case "minutes":
      return (
        <SelectField
          label="Minutes"
          value={String(plain.step)}
          onChange={({ target }) => set({ step: Number(target.value) })}
        >
          {STEPS.map((step) => (
            <option key={step} value={step}>
              {step}
            </option>
          ))}
        </SelectField>
      );
    case "once":
      return (
        <TextField
          label="Date and time"
          type="datetime-local"
          required
          value={plain.at}
          onChange={({ target }) => set({ at: target.value })}
        />
      );
    case "cron":
      return (
        <TextField
          label="Schedule"
          hint="Minute, hour, day of the month, month, day of the week; or a date and time such as 2027-03-01T09:00Z."
          required
          maxLength={200}
          className="font-mono"
          value={plain.cron}
          onChange={({ target }) => set({ cron: target.value })}
        />
      );
  }
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
