import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import type { WorkState } from "../../../ui/index.ts";

type Answer<Name extends string> = AnswerOf<Extract<OperatorDefinition, { readonly name: Name }>>;

/** A watch as the service lists it. */
export type Watch = Answer<"watches.list">["watches"][number];
export type WatchFire = Answer<"watches.fires">["fires"][number];

interface Badge {
  readonly state: WorkState;
  readonly label: string;
}

/** How a watch stands. */
export function watchBadge({ status, errors, flapping }: Pick<Watch, "status" | "errors" | "flapping">): Badge {
  if (status === "met") return { state: "completed", label: "Met" };
  if (status === "expired") return { state: "canceled", label: "Expired" };
  if (errors > 0) return { state: "failed", label: "Checks fail" };
  return flapping ? { state: "waiting", label: "Flapping" } : { state: "queued", label: "Watching" };
}

const FIRES: { readonly [Kind in WatchFire["kind"]]: Badge } = {
  met: { state: "completed", label: "It was true" },
  change: { state: "working", label: "It changed" },
  expired: { state: "canceled", label: "Time was over" },
  stalled: { state: "waiting", label: "Nothing changed" },
};

/** What a fire was about. */
export function fireBadge({ kind }: Pick<WatchFire, "kind">): Badge {
  return FIRES[kind];
}

/** When it fires, in a sentence. */
export function firesWhen({ trigger, repeat }: Pick<Watch, "trigger" | "repeat">): string {
  if (trigger === "change") return repeat ? "Each time what is checked changes" : "Once, when what is checked changes";
  return repeat ? "Each time it becomes true" : "Once, when it becomes true";
}
