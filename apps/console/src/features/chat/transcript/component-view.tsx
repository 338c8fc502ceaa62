import { Circle, CircleCheck, CircleDot } from "lucide-react";
import { lazy, type ReactElement, Suspense } from "react";
import { BesideButton, CodeBlock } from "../../../markdown/index.ts";
import { classNames, ScrollRegion } from "../../../ui/index.ts";
import { isCode, readComponent, type ShownComponent } from "./read-component.ts";

// No part of the page of chats: few turns show code.
const CodeCard = lazy(async () => ({ default: (await import("../../../code-view/index.ts")).CodeCard }));

/** Renders data of an answer: a known component natively, anything else as JSON. */
export function ComponentView({ value }: { readonly value: unknown }): ReactElement {
  if (isCode(value)) {
    return (
      <Suspense>
        <CodeCard value={value} />
      </Suspense>
    );
  }
  const shown = readComponent(value);
  if (shown === undefined) return <CodeBlock code={JSON.stringify(value, undefined, 2)} language="json" />;
  return (
    <figure className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-2">
        {shown.title !== "" && <figcaption className="text-sm font-semibold">{shown.title}</figcaption>}
        {shown.component === "table" && (
          <div className="ml-auto">
            <BesideButton
              document={{ kind: "table", title: tableTitle(shown.title), rows: [shown.columns, ...shown.rows] }}
            />
          </div>
        )}
      </div>
      <Body shown={shown} />
    </figure>
  );
}

function tableTitle(title: string): string {
  return title === "" ? "Table" : title;
}

function Body({ shown }: { readonly shown: ShownComponent }): ReactElement {
  switch (shown.component) {
    case "table":
      return <TableBody columns={shown.columns} rows={shown.rows} title={shown.title} />;
    case "keyvalue":
      return (
        <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1">
          {shown.items.map(({ label, value }, index) => (
            <div key={index} className="contents">
              <dt className="text-ink-soft">{label}</dt>
              <dd className="whitespace-pre-wrap">{value}</dd>
            </div>
          ))}
        </dl>
      );
    case "timeline":
      return <Steps steps={shown.steps} />;
  }
}

function TableBody({
  columns,
  rows,
  title,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly title: string;
}): ReactElement {
  return (
    <ScrollRegion label={tableTitle(title)} className="max-h-96 overflow-auto rounded-md border border-line">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-sunken text-ink-soft">
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className="px-3 py-1.5 text-left font-semibold">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="border-t border-line">
              {row.map((cell, column) => (
                <td key={column} className="px-3 py-1.5 align-top whitespace-pre-wrap">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const STATES = {
  done: { icon: CircleCheck, label: "Done", colour: "text-good" },
  active: { icon: CircleDot, label: "Now", colour: "text-accent" },
  todo: { icon: Circle, label: "To do", colour: "text-ink-soft" },
} as const;

function Steps({
  steps,
}: {
  readonly steps: Extract<ShownComponent, { readonly component: "timeline" }>["steps"];
}): ReactElement {
  return (
    <ol className="flex flex-col gap-2">
      {steps.map(({ label, state, detail }, index) => {
        const { icon: Icon, label: stateLabel, colour } = STATES[state];
        return (
          <li key={index} className="flex gap-2">
            <Icon aria-hidden className={classNames("mt-0.5 size-4 shrink-0", colour)} />
            <div>
              <p className={state === "todo" ? "text-ink-soft" : undefined}>
                {label} <span className="sr-only">({stateLabel})</span>
              </p>
              {detail !== "" && detail !== "–" && <p className="text-sm text-ink-soft">{detail}</p>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
