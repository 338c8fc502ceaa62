import type { ReactElement } from "react";
import { exactTime } from "../ui/index.ts";
import { type JournalRow, timeOf } from "./journal.ts";
import { elapsed } from "./scale.ts";
import type { Step } from "./step.ts";

/** The journal rows that a step is drawn from, unchanged. `origin`: the beginning of the timeline. */
export function StepRows({ step, origin }: { readonly step: Step; readonly origin: number }): ReactElement {
  return (
    <div className="mx-2 mb-2 flex flex-col gap-3 rounded-md bg-sunken px-3 py-2">
      {step.rows.map((row) => (
        <div key={row.seq}>
          <p className="flex flex-wrap gap-x-3 font-medium">
            <span>{row.kind.replaceAll("_", " ")}</span>
            <span className="font-normal text-ink-soft tabular-nums">
              {elapsed(timeOf(row) - origin)} · line {row.seq} · <time dateTime={row.at}>{exactTime(row.at)}</time>
            </span>
          </p>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
            {membersOf(row).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-ink-soft">{name}</dt>
                <dd>
                  <pre className="whitespace-pre-wrap">{value}</pre>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}

/** The content of a row besides its kind, time and number: texts as they are, formatted JSON. */
function membersOf(row: JournalRow): readonly (readonly [string, string])[] {
  return Object.entries(row).flatMap(([name, value]: readonly [string, unknown]) => {
    if (["kind", "at", "seq"].includes(name) || value === null || value === "" || value === false) return [];
    return [[name, textOf(value)] as const];
  });
}

function textOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, undefined, 2);
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), undefined, 2);
  } catch {
    return value;
  }
}
