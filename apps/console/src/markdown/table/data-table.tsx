import { ArrowDown, ArrowUp, ArrowUpDown, Download } from "lucide-react";
import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode, useMemo, useState } from "react";
import { Button, ScrollRegion, saveFile } from "../../ui/index.ts";
import { BesideButton } from "../beside/beside-button.tsx";
import type { CodeNode } from "../code/code-in.ts";
import { csvOf, nextSorting, orderOf, rowsIn, type Sorting } from "./table-data.ts";

type Part = ReactElement<{ readonly children?: ReactNode }>;

/** Below the table where there is no pointer; else above what follows, while one points at the table or has the focus in it. */
const ACTIONS =
  "-ml-2 flex w-fit [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:absolute [@media(hover:hover)]:top-full [@media(hover:hover)]:z-10 [@media(hover:hover)]:rounded-md [@media(hover:hover)]:bg-raised [@media(hover:hover)]:shadow-raised [@media(hover:hover)]:group-focus-within/table:opacity-100 [@media(hover:hover)]:group-hover/table:opacity-100";

/** A table of an answer: sorted by the head that one presses, saved as CSV. */
export function DataTable({
  node,
  children,
}: {
  readonly node?: CodeNode | undefined;
  readonly children?: ReactNode;
}): ReactElement {
  const [sorting, setSorting] = useState<Sorting>();
  const rows = useMemo(() => rowsIn(node), [node]);
  const order = useMemo(() => orderOf(rows.slice(1), sorting), [rows, sorting]);
  const [head, body] = partsOf(children);
  const lines = body === undefined ? [] : partsOf(body.props.children);
  const isSortable = lines.length > 1 && lines.length === order.length;
  return (
    <div className="group/table relative my-2">
      <ScrollRegion label="Table" className="overflow-x-auto">
        <table>
          {head !== undefined && isSortable ? <SortedHead head={head} sorting={sorting} onSort={setSorting} /> : head}
          {body !== undefined && isSortable
            ? cloneElement(
                body,
                {},
                order.map((index) => lines[index]),
              )
            : body}
        </table>
      </ScrollRegion>
      {isSortable && (
        <div className={ACTIONS}>
          <Button
            kind="quiet"
            small
            onClick={() => saveFile(new Blob([csvOf(rows)], { type: "text/csv" }), "table.csv")}
          >
            <Download aria-hidden className="size-4" /> Save as CSV
          </Button>
          <BesideButton labelled document={{ kind: "table", title: "Table", rows }} />
        </div>
      )}
    </div>
  );
}

function partsOf(children: ReactNode): readonly Part[] {
  return Children.toArray(children).filter((child): child is Part => isValidElement(child));
}

function SortedHead({
  head,
  sorting,
  onSort,
}: {
  readonly head: Part;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting | undefined) => void;
}): ReactElement {
  const [line] = partsOf(head.props.children);
  if (line === undefined) return head;
  const cells = partsOf(line.props.children).map((cell, column) => {
    const isSorted = sorting?.column === column;
    const descending = isSorted && sorting.descending;
    const Icon = isSorted ? (descending ? ArrowDown : ArrowUp) : ArrowUpDown;
    const sort = isSorted ? (descending ? "descending" : "ascending") : "none";
    return cloneElement(
      cell as ReactElement<{ "aria-sort"?: string; children?: ReactNode }>,
      { "aria-sort": sort, key: column },
      <button
        type="button"
        className="inline-flex items-center gap-1 hover:text-ink"
        onClick={() => onSort(nextSorting(sorting, column))}
      >
        {cell.props.children}
        <Icon aria-hidden className={isSorted ? "size-3.5 shrink-0" : "size-3.5 shrink-0 opacity-40"} />
      </button>,
    );
  });
  return cloneElement(head, {}, cloneElement(line, {}, cells));
}
