import type { ReactElement } from "react";
import { SelectField, TextField } from "../../ui/index.ts";
import { LEVELS, RANGES } from "./log-lines.ts";

/** What narrows the log. */
export function LogFilters({
  level,
  range,
  search,
  onLevel,
  onRange,
  onSearch,
}: {
  readonly level: string;
  readonly range: string;
  readonly search: string;
  readonly onLevel: (level: string) => void;
  readonly onRange: (range: string) => void;
  readonly onSearch: (search: string) => void;
}): ReactElement {
  return (
    <>
      <div className="min-w-44 flex-1 list:max-w-48">
        <SelectField bare label="Level" value={level} onChange={({ target }) => onLevel(target.value)}>
          {LEVELS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="min-w-40 flex-1 list:max-w-44">
        <SelectField bare label="Range" value={range} onChange={({ target }) => onRange(target.value)}>
          {RANGES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="min-w-32 flex-1 list:max-w-72">
        <TextField
          bare
          label="Find in the log"
          type="search"
          placeholder="Find"
          value={search}
          onChange={({ target }) => onSearch(target.value)}
        />
      </div>
    </>
  );
}
