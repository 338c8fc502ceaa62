import type { ReactElement } from "react";

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A time to come, in the person's own format. */
export function MomentOf({ at }: { readonly at: string }): ReactElement {
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
