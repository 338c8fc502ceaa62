/** How wide the column with a screen's list is, in pixels. */
export interface ColumnWidth {
  readonly narrowest: number;
  readonly widest: number;
  /** Before a person chose one. */
  readonly usual: number;
}

/** One width for every screen that has such a column. */
export const COLUMN: ColumnWidth = { narrowest: 200, widest: 400, usual: 280 };

const STEP = 16;

/** A width within the bounds, in whole pixels. */
export function fitted(width: number): number {
  return Math.round(Math.min(COLUMN.widest, Math.max(COLUMN.narrowest, width)));
}

/** The stored width; the default where none, or an invalid one, is stored. */
export function readWidth(kept: string | undefined): number {
  const width = Number(kept ?? Number.NaN);
  return Number.isFinite(width) ? fitted(width) : COLUMN.usual;
}

/** The width after a key on the edge of a column (WAI-ARIA, window splitter); undefined: the key does nothing there. */
export function widthAfter(key: string, width: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
      return fitted(width - STEP);
    case "ArrowRight":
      return fitted(width + STEP);
    case "Home":
      return COLUMN.narrowest;
    case "End":
      return COLUMN.widest;
    case "Enter":
      return COLUMN.usual;
    default:
      return undefined;
  }
}
