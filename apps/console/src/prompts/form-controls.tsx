import type { ReactElement } from "react";
import { FormControl } from "./form-control.tsx";
import type { FormField } from "./form-fields.ts";
import { type Entries, firstEntry, nameOf } from "./form-values.ts";

/** The controls of fields, below the headings of their groups. */
export function FormControls({
  fields,
  entries,
  problems,
  onChange,
}: {
  readonly fields: readonly FormField[];
  readonly entries: Entries;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (entries: Entries) => void;
}): ReactElement {
  return (
    <>
      {[...Map.groupBy(fields, ({ group }) => group)].map(([group, members]) => {
        const controls = members.map((field) => (
          <FormControl
            key={nameOf(field)}
            field={field}
            entry={entries.get(nameOf(field)) ?? firstEntry(field)}
            problem={problems.get(nameOf(field))}
            onChange={(entry) => onChange(new Map(entries).set(nameOf(field), entry))}
          />
        ));
        if (group === undefined) return controls;
        return (
          <fieldset key={group} className="flex flex-col gap-3 border-l-2 border-line pl-3">
            <legend className="mb-2 text-sm font-semibold">{group}</legend>
            {controls}
          </fieldset>
        );
      })}
    </>
  );
}
