import type { ReasoningEffort } from "@agent-service/agent-core/host";
import * as v from "valibot";

/** How much a model reasons before it answers, from not at all to the most. Each model takes some of these values. */
const EFFORTS = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const satisfies readonly ReasoningEffort[];

export const reasoningEffortSchema = v.picklist(EFFORTS);

/** The efforts that a message may choose for a model. */
export const reasoningEffortsSchema = v.pipe(
  v.nullable(v.array(reasoningEffortSchema)),
  v.description(
    "The reasoning efforts it takes: as entered, else as the server lists or vendors publish; empty: none, null: not known.",
  ),
);
