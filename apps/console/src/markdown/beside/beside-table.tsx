import { ArrowDown, ArrowUp, ArrowUpDown, Download } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import { Button, classNames, ScrollRegion, saveFile } from "../../ui/index.ts";
import { csvOf, nextSorting, numericColumns, orderOf, type Sorting } from "../table/table-data.ts";

/** A table with all the room there is: sorted by the head that one presses, saved as CSV. */
export function BesideTable({
  title,
  rows,
}: {
  readonly title: string;
  /** The head first. */
  readonly rows: readonly (readonly string[])[];
}): ReactElement {
  const [sorting, setSorting] = useState<Sorting>();
  const [head = [], ...lines] = rows;
  const numeric = useMemo(() => numericColumns(rows), [rows]);
  const order = useMemo(() => orderOf(rows.slice(1), sorting), [rows, sorting]);
  return (
    <>
      <div className="flex items-center justify-between gap-3 pb-2 text-sm text-ink-soft">
        <span className="tabular-nums">
          {lines.length} {lines.length === 1 ? "row" : "rows"}
        </span>
        <Button
          kind="quiet"
          small
          className="-mr-2"
          onClick={() => saveFile(new Blob([csvOf(rows)], { type: "text/csv" }), "table.csv")}
        >
          <Download aria-hidden className="size-4" /> Save as CSV
        </Button>
      </div>
      <ScrollRegion label={title} className="min-h-0 flex-1 overflow-auto rounded-md border border-line">
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              {head.map((name, column) => {
                const isSorted = sorting?.column === column;
                const Icon = isSorted ? (sorting.descending ? ArrowDown : ArrowUp) : ArrowUpDown;
                return (
                  <th
                    key={column}
                    scope="col"
                    aria-sort={isSorted ? (sorting.descending ? "descending" : "ascending") : "none"}
                    className={classNames(
                      "px-3 py-1.5 font-semibold wrap-break-word",
                      numeric[column] ? "text-right" : "text-left",
                    )}
                  >
                    <button
                      type="button"
                      className="inline-flex items-center gap-1 hover:text-ink"
                      onClick={() => setSorting(nextSorting(sorting, column))}
                    >
                      {name}
                      <Icon aria-hidden className={isSorted ? "size-3.5 shrink-0" : "size-3.5 shrink-0 opacity-40"} />
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {order.map((index) => (
              <tr key={index} className="border-t border-line">
                {lines[index]?.map((cell, column) => (
                  <td
                    key={column}
                    className={classNames(
                      "px-3 py-1.5 align-top whitespace-pre-wrap",
                      numeric[column] && "text-right tabular-nums",
                    )}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
