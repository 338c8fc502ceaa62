import { type CodeNode, textIn } from "../code/code-in.ts";

/** The texts of a table's rows, the head first. */
export function rowsIn(table: CodeNode | undefined): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const walk = (node: CodeNode): void => {
    const children = (node.children ?? []) as readonly CodeNode[];
    if (node.tagName !== "tr") {
      for (const child of children) walk(child);
      return;
    }
    const cells = children.filter(({ tagName }) => tagName === "td" || tagName === "th");
    found.push(cells.map((cell) => textIn(cell).trim()));
  };
  if (table !== undefined) walk(table);
  return found;
}

/** How a table is sorted. */
export interface Sorting {
  readonly column: number;
  readonly descending: boolean;
}

/** The sorting once a head is pressed: ascending, then descending, then none. */
export function nextSorting(sorting: Sorting | undefined, column: number): Sorting | undefined {
  const isSorted = sorting?.column === column;
  return isSorted && sorting.descending ? undefined : { column, descending: isSorted };
}

/** The order of rows: by number where every cell of the column is one, else as words; empty cells last. */
export function orderOf(rows: readonly (readonly string[])[], sorting: Sorting | undefined): readonly number[] {
  const order = rows.map((_, index) => index);
  if (sorting === undefined) return order;
  const { column, descending } = sorting;
  const cells = rows.map((row) => row[column] ?? "");
  const numbers = cells.map(numberIn);
  const areNumbers = areAllNumbers(cells);
  const compare = (a: number, b: number): number => {
    if (cells[a] === "" || cells[b] === "") return Number(cells[a] === "") - Number(cells[b] === "");
    const by = areNumbers
      ? (numbers[a] ?? 0) - (numbers[b] ?? 0)
      : (cells[a] ?? "").localeCompare(cells[b] ?? "", undefined, { numeric: true });
    return descending ? -by : by;
  };
  return order.toSorted(compare);
}

/** Which columns hold nothing but numbers. The rows have the head first. */
export function numericColumns([head = [], ...lines]: readonly (readonly string[])[]): readonly boolean[] {
  return head.map((_, column) => lines.length > 0 && areAllNumbers(lines.map((line) => line[column] ?? "")));
}

function areAllNumbers(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === "" || numberIn(cell) !== undefined);
}

/** The number with which a cell begins, behind a sign of a currency: `$1,230`, `18 GB`. */
function numberIn(cell: string): number | undefined {
  const [, sign = "", digits] = /^([-+−]?)[$€£¥~≈≤≥<> ]*(\d[\d,]*(?:\.\d+)?)/.exec(cell) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits.replaceAll(",", "")) * (sign === "-" || sign === "−" ? -1 : 1);
}

/** A table as CSV (RFC 4180). A cell that a spreadsheet would run as a formula is marked as text. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cellOf = (cell: string): string => {
    const isFormula = /^[=@\t\r]/.test(cell) || (/^[+-]/.test(cell) && !/^[+-]?[\d.,\s%]*$/.test(cell));
    const safe = isFormula ? `'${cell}` : cell;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}
