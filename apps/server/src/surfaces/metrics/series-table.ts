/** Label values by label name. */
export type Labels = Readonly<Record<string, string>>;

/** The value every label of a series beyond the bound gets. */
export const overflowValue = "other";

/**
 * The series of one metric, one cell per combination of label values. Names of models and tools come from outside, so
 * their number is bounded: combinations beyond the bound share one series whose labels are all `other`.
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
  // By the values as they come: rendering and escaping a key for every call of a counter showed in profiles.
  const known = new Map<string, Cell>();
  const overflow = render(names, () => overflowValue);

  function newCell(labels: Labels): Cell {
    const key = render(names, (name) => labels[name] ?? "");
    const found = cells.get(key);
    if (found !== undefined) return found;
    const label = cells.size < maxSeries ? key : overflow;
    const cell = cells.get(label) ?? create();
    cells.set(label, cell);
    return cell;
  }

  return {
    cell(labels) {
      const values = rawKey(names, labels);
      const found = known.get(values);
      if (found !== undefined) return found;
      const cell = newCell(labels);
      if (known.size < maxSeries) known.set(values, cell);
      return cell;
    },
    entries: () => cells,
  };
}

/** Label values in the order of the names, apart by a character that no label holds. */
function rawKey(names: readonly string[], labels: Labels): string {
  let key = "";
  for (const name of names) key += `${labels[name] ?? ""}\u0000`;
  return key;
}

/** `a="x",b="y"`, escaped as the text format wants it; empty without labels. */
function render(names: readonly string[], read: (name: string) => string): string {
  return names.map((name) => `${name}="${escapeLabel(read(name))}"`).join(",");
}

function escapeLabel(value: string): string {
  return value.slice(0, 200).replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
