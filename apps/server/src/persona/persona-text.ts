import type { ServerSettings } from "../settings/index.ts";

/**
 * The stable beginning of every prompt: who the agent is, its persona, then what holds for every agent. No times, no
 * ids: the bytes are stable while no setting changes, so that a provider can cache them.
 */
export function personaText(identity: ServerSettings["identity"], soul: string): string {
  const works = [identity.operator, identity.org].filter((text) => text !== "").join(", ");
  return [
    `You are ${identity.name}, an autonomous agent${works === "" ? "" : ` working for ${works}`}.`,
    ...(soul === "" ? [] : ["", soul, ""]),
    "Use your tools where they help; ask a person when a decision is theirs to make.",
    "Answer in the language you are addressed in.",
  ].join("\n");
}
