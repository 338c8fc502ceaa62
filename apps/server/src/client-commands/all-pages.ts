/** A page of any list of the API (O5). */
interface Page {
  readonly next_cursor: string | null;
}

/** Reads pages until `most` rows are there or the list ends. */
export async function allPages<TPage extends Page, TRow>(
  read: (cursor: string | undefined) => Promise<TPage>,
  rowsOf: (page: TPage) => readonly TRow[],
  most: number,
): Promise<{ readonly rows: readonly TRow[]; readonly more: boolean }> {
  const rows: TRow[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    rows.push(...rowsOf(page));
    if (page.next_cursor === null) return { rows: rows.slice(0, most), more: rows.length > most };
    if (rows.length >= most) return { rows: rows.slice(0, most), more: true };
    cursor = page.next_cursor;
  }
}
