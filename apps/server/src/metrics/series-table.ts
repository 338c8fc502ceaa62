/** Label values by label name. */
export type Labels = Readonly<Record<string, string>>;

/** The value every label of a series beyond the bound gets. */
export const overflowValue = "other";

/**
 * The series of one metric, one cell per combination of label values. A model's name or a tool's comes from outside, so
 * their number is bounded: combinations beyond the bound share one series whose labels all say `other`.
 */
export interface SeriesTable<Cell> {
  cell(labels: Labels): Cell;
  entries(): Iterable<readonly [labels: string, cell: Cell]>;
}

/** A table over `names`; cells are made by `create`. Labels not among `names` are ignored, missing ones are empty. */
export function createSeriesTable<Cell>(
  names: readonly string[],
  create: () => Cell,
  maxSeries: number,
): SeriesTable<Cell> {
  const cells = new Map<string, Cell>();
  const overflow = render(names, () => overflowValue);
  return {
    cell(labels) {
      let key = render(names, (name) => labels[name] ?? "");
      let cell = cells.get(key);
      if (cell === undefined && cells.size >= maxSeries) {
        key = overflow;
        cell = cells.get(key);
      }
      if (cell === undefined) {
        cell = create();
        cells.set(key, cell);
      }
      return cell;
    },
    entries: () => cells,
  };
}

/** `a="x",b="y"`, escaped as the text format wants it; empty without labels. */
function render(names: readonly string[], read: (name: string) => string): string {
  return names.map((name) => `${name}="${escapeLabel(read(name))}"`).join(",");
}

function escapeLabel(value: string): string {
  return value.slice(0, 200).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
