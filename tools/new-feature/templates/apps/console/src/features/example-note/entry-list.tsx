import type { ReactElement } from "react";
import { RelativeTime } from "../../ui/index.ts";

/** An entry as the API returns it. */
export interface Entry {
  readonly id: number;
  readonly text: string;
  readonly created_at: string;
}

/** Entries in the order they are given. */
export function EntryList({ entries }: { readonly entries: readonly Entry[] }): ReactElement {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {entries.map(({ id, text, created_at: createdAt }) => (
        <li key={id} className="flex justify-between gap-4 py-2">
          <span className="whitespace-pre-wrap break-words">{text}</span>
          <span className="shrink-0 text-sm text-ink-soft">
            <RelativeTime at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
