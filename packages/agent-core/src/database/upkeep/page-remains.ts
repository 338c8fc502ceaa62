/** What pages of an SQLite file hold beside its rows: bytes of rows that were deleted, or that a balanced page left behind. */

/** Size of the file's header, which is on the first page. */
const FILE_HEADER = 100;
const INTERIOR: ReadonlySet<number> = new Set([2, 5]);
const LEAF: ReadonlySet<number> = new Set([10, 13]);

/** The head of a chain of free pages, of the file's first page. */
export function firstFreePage(first: Uint8Array): number {
  return viewOf(first).getUint32(32);
}

/** What a page of that chain says: the next one, and the free pages that it names. */
export function freePagesOf(trunk: Uint8Array): { readonly next: number; readonly leaves: readonly number[] } {
  const view = viewOf(trunk);
  const count = Math.min(view.getUint32(4), (trunk.byteLength - 8) / 4);
  return { next: view.getUint32(0), leaves: Array.from({ length: count }, (_, i) => view.getUint32(8 + 4 * i)) };
}

/** How a page is used: as part of a tree or of a long row, or free; a page of the chain names free ones. */
export type PageUse = "tree" | "free" | "chain";

/**
 * The page with zeros wherever it holds nothing; undefined: it has them already, or is none of a tree. What SQLite reads of
 * it stays as it is, byte by byte, so it may be changed beneath an open connection.
 */
export function withoutRemains(page: Uint8Array, isFirst: boolean, use: PageUse): Uint8Array | undefined {
  if (use === "free") return zeroed(page, [[0, page.byteLength]]);
  if (use === "chain") return zeroed(page, [[8 + 4 * freePagesOf(page).leaves.length, page.byteLength]]);
  const gaps = gapsOf(page, isFirst ? FILE_HEADER : 0);
  return gaps === undefined ? undefined : zeroed(page, gaps);
}

type Gap = readonly [from: number, to: number];

/** The space between the addresses of cells and the cells, and free blocks among these; undefined: it is no page of a tree. */
function gapsOf(page: Uint8Array, header: number): Gap[] | undefined {
  const view = viewOf(page);
  const kind = page[header] ?? 0;
  if (!INTERIOR.has(kind) && !LEAF.has(kind)) return undefined;
  const cells = view.getUint16(header + 3);
  const content = view.getUint16(header + 5) || 65_536;
  const addresses = header + (INTERIOR.has(kind) ? 12 : 8) + 2 * cells;
  if (addresses > content || content > page.byteLength) return undefined;
  const gaps: Gap[] = [[addresses, content]];
  for (let block = view.getUint16(header + 1), end = content; block !== 0; ) {
    if (block < end || block + 4 > page.byteLength) return undefined;
    end = block + view.getUint16(block + 2);
    if (end > page.byteLength) return undefined;
    // The first four bytes of a block are its place in the list of blocks.
    gaps.push([block + 4, end]);
    block = view.getUint16(block);
  }
  return gaps;
}

function zeroed(page: Uint8Array, gaps: readonly Gap[]): Uint8Array | undefined {
  const used = gaps.filter(([from, to]) => !isZero(page, from, to));
  if (used.length === 0) return undefined;
  const clean = Uint8Array.from(page);
  for (const [from, to] of used) clean.fill(0, from, to);
  return clean;
}

function isZero(page: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (page[i] !== 0) return false;
  return true;
}

function viewOf(page: Uint8Array): DataView {
  return new DataView(page.buffer, page.byteOffset, page.byteLength);
}
