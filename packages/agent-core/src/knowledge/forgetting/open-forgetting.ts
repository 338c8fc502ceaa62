import { isStoreGone } from "../../database/index.ts";
import type { Engine } from "../../feature/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";
import { ConversationCopies } from "./conversation-copies.ts";
import { Forgetting } from "./forgetting.ts";
import type { ForgettingOptions } from "./forgetting-options.ts";

/** Forgetting over the conversations of an engine. */
export function openForgetting(
  { db, conversations, clock, log, rewriteTexts, eraseRemains }: Engine,
  options: Pick<ForgettingOptions, "store" | "exists" | "bus" | "forgetSource" | "withdrawHidden">,
): Forgetting {
  return new Forgetting({
    ...options,
    ...{ clock, rewriteTexts, eraseRemains, memoryClass: OPERATOR_CLASS },
    copies: new ConversationCopies({ db, forget: (one) => conversations.forget(one) }),
    onFailure(error) {
      if (!isStoreGone(error)) log.warn(`forgetting is not done yet, and is tried again: ${String(error)}`);
    },
  });
}
