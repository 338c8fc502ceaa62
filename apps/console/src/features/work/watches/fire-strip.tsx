import type { ReactElement } from "react";
import { classNames, startOf } from "../../../ui/index.ts";
import { fireBadge, type WatchFire } from "./watch-words.ts";

/** Fires that the strip has room for on a phone. */
const MOST = 40;

const COLOURS: { readonly [Kind in WatchFire["kind"]]: string } = {
  met: "bg-good",
  change: "bg-accent",
  expired: "bg-ink-soft",
  stalled: "bg-waiting",
};

/** The newest fires as marks in a row, the latest on the right; the table below says the same in words. */
export function FireStrip({ fires }: { readonly fires: readonly WatchFire[] }): ReactElement {
  return (
    <div aria-hidden className="flex h-6 items-stretch gap-0.5">
      {fires
        .slice(0, MOST)
        .toReversed()
        .map((fire) => (
          <span
            key={fire.no}
            title={`${fireBadge(fire).label}, ${startOf(fire.at, false)}`}
            className={classNames("w-1.5 rounded-sm", COLOURS[fire.kind])}
          />
        ))}
    </div>
  );
}
