import type { ReactElement } from "react";
import { CheckField, SelectField, TextField } from "../../../ui/index.ts";
import { type Plain, STEPS, WEEKDAYS } from "./builder.ts";

interface PlainProps {
  readonly plain: Plain;
  readonly set: (parts: Partial<Plain>) => void;
}

/** What has to be chosen beside how often. */
export function ScheduleDetailFields({
  plain,
  onChange,
}: {
  readonly plain: Plain;
  readonly onChange: (plain: Plain) => void;
}): ReactElement {
  const props = { plain, set: (parts: Partial<Plain>): void => onChange({ ...plain, ...parts }) };
  switch (plain.every) {
    case "day":
    case "weekdays":
      return <Time {...props} />;
    case "week":
      return (
        <>
          <Days {...props} />
          <Time {...props} />
        </>
      );
    case "month":
      return (
        <>
          <DayOfMonth {...props} />
          <Time {...props} />
        </>
      );
    case "hour":
      return <Minute {...props} />;
    case "minutes":
      return <Step {...props} />;
    case "once":
      return <DateAndTime {...props} />;
    case "cron":
      return <CronFields {...props} />;
  }
}

function Time({ plain, set }: PlainProps): ReactElement {
  return (
    <TextField
      label="Time"
      type="time"
      required
      value={plain.time}
      onChange={({ target }) => set({ time: target.value })}
    />
  );
}

function Days({ plain: { days }, set }: PlainProps): ReactElement {
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
      <legend className="pb-1 text-sm font-medium">Days</legend>
      {WEEKDAYS.map((name, day) => (
        <CheckField
          key={name}
          label={name}
          checked={days.includes(day)}
          onChange={({ target }) => set({ days: target.checked ? [...days, day] : days.filter((one) => one !== day) })}
        />
      ))}
    </fieldset>
  );
}

function DayOfMonth({ plain: { dayOfMonth }, set }: PlainProps): ReactElement {
  return (
    <TextField
      label="Day of the month"
      hint={dayOfMonth > 28 ? "Months without this day are left out." : undefined}
      type="number"
      min={1}
      max={31}
      required
      value={dayOfMonth}
      onChange={({ target }) => set({ dayOfMonth: Number(target.value) })}
    />
  );
}

function Minute({ plain, set }: PlainProps): ReactElement {
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
}

function Step({ plain, set }: PlainProps): ReactElement {
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
}

function DateAndTime({ plain, set }: PlainProps): ReactElement {
  return (
    <TextField
      label="Date and time"
      type="datetime-local"
      required
      value={plain.at}
      onChange={({ target }) => set({ at: target.value })}
    />
  );
}

function CronFields({ plain, set }: PlainProps): ReactElement {
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
