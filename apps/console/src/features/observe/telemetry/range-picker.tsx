import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button, Choices, TextField } from "../../../ui/index.ts";
import { type ChosenTime, datesOf, RANGES, rangeOf } from "./ranges.ts";

const DATES = "dates";

/** Chooses the time of the figures: up to now, or between two dates. It is part of the address. */
export function RangePicker({ chosen }: { readonly chosen: ChosenTime }): ReactElement {
  const navigate = useNavigate();
  const byDates = datesOf(chosen) !== undefined;
  const [editing, setEditing] = useState(false);
  const show = (search: ChosenTime): void => void navigate({ to: "/observe/telemetry", search, replace: true });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget);
    const [from, to] = [entered.get("from"), entered.get("to")].map(String);
    if (datesOf({ from, to }) !== undefined) show({ from, to });
  };
  const isOpen = editing || byDates;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-3 py-1.5">
      <Choices
        label="Time"
        options={[...RANGES, { value: DATES, label: "Dates" }]}
        value={isOpen ? DATES : rangeOf(chosen.range).value}
        onChange={(value) => {
          setEditing(value === DATES);
          if (value !== DATES) show({ range: value });
        }}
      />
      {isOpen && (
        <form
          key={`${chosen.from} ${chosen.to}`}
          aria-label="Dates"
          className="flex flex-wrap items-end gap-2"
          onSubmit={submit}
        >
          <TextField label="From" name="from" type="date" required defaultValue={byDates ? chosen.from : ""} />
          <TextField label="To, included" name="to" type="date" required defaultValue={byDates ? chosen.to : ""} />
          <Button type="submit">Show</Button>
        </form>
      )}
    </div>
  );
}
