import type { TaskFailure } from "../event/index.ts";

/** Ways a task ends without an answer. */
export type EndReason = { readonly kind: "canceled" } | { readonly kind: "failed"; readonly failure: TaskFailure };
