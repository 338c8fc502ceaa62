import type { ReactElement } from "react";
import { startOf } from "../ui/index.ts";

/** A time to come, in the person's own format. */
export function MomentOf({ at }: { readonly at: string }): ReactElement {
  return <time dateTime={at}>{startOf(at, false)}</time>;
}
