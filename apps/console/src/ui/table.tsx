import type { ReactElement, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { ScrollRegion } from "./scroll-region.tsx";

/** A column of a table. */
export interface Column<TRow> {
  readonly name: string;
  readonly cell: (row: TRow) => ReactNode;
  /** Numbers stand right. */
  readonly numeric?: boolean;
  /** The header is for screen readers alone. */
  readonly bare?: boolean;
}

/** Rows under a sticky header. */
export function Table<TRow>({
  label,
  columns,
  rows,
  keyOf,
}: {
  readonly label: string;
  readonly columns: readonly Column<TRow>[];
  readonly rows: readonly TRow[];
  readonly keyOf: (row: TRow) => string;
}): ReactElement {
  return (
    <ScrollRegion label={label} className="overflow-x-auto">
      {/* A word is never broken to make a column narrow: the table scrolls sideways. */}
      <table className="w-full border-collapse text-sm leading-[1.3] [overflow-wrap:break-word]">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-ground">
          <tr>
            {columns.map(({ name, numeric, bare }) => (
              <th
                key={name}
                scope="col"
                className={classNames(
                  "border-b border-line px-3 py-2 font-medium whitespace-nowrap text-ink-soft",
                  numeric ? "text-right" : "text-left",
                )}
              >
                <span className={bare ? "sr-only" : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="group hover:bg-hover">
              {columns.map(({ name, cell, numeric }) => (
                <td
                  key={name}
                  className={classNames("border-b border-line px-3 py-2 align-top", numeric && "text-right")}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
