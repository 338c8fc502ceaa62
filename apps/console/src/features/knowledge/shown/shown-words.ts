import { counted } from "../../../memory/index.ts";
import type { Injection } from "../memory-types.ts";

type Reason = Injection["left_out"][number]["reason"];

const LEFT_OUT: { readonly [R in Reason]: string } = {
  in_sight: "the model sees it already",
  floor: "it has too little of the message",
  budget: "there was no room, or enough others fit better",
  duplicate: "another one says the same",
};

/** Why a memory was not shown. */
export function leftOutWords(reason: Reason): string {
  return LEFT_OUT[reason];
}

/** How much a model call was shown. */
export function shownTitle({
  items,
  digest_session_ids: sessions,
  in_sight: inSight,
}: Pick<Injection, "items" | "digest_session_ids" | "in_sight">): string {
  const parts = [
    items.length > 0 && counted(items.length, "memory", "memories"),
    sessions.length > 0 && counted(sessions.length, "earlier conversation"),
  ].filter((part) => part !== false);
  if (parts.length > 0) return `Shown ${parts.join(" and ")}`;
  return inSight.length > 0
    ? `Nothing new; ${counted(inSight.length, "memory", "memories")} in sight`
    : "Shown nothing";
}

/** How it was searched, and what that took. */
export function shownFacts({
  mode,
  degraded,
  late,
  approx_tokens: tokens,
  ms,
}: Pick<Injection, "mode" | "degraded" | "late" | "approx_tokens" | "ms">): string {
  return [
    mode === "none" ? "not searched" : mode === "hybrid" ? "found by words and meaning" : "found by words",
    degraded && "by meaning it was not possible",
    late && "something came too late",
    tokens > 0 && `about ${counted(tokens, "token")}`,
    `${Math.round(ms)} ms`,
  ]
    .filter(Boolean)
    .join(" · ");
}
