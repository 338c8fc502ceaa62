import type { Provenance } from "@agent-service/config";
import type { UiTier } from "./environment.ts";

/** What decides who leads. */
export interface LeadFacts {
  readonly setupComplete: boolean;
  readonly ui: UiTier;
  /** Whether any layer names a model or a way to one; see `namesModel`. */
  readonly named: boolean;
}

/**
 * `configured`: the configuration's model leads. `scripted`: the model without a network leads, beside the default
 * gateway. `refuse`: no person would notice, so the start fails.
 */
export type LeadChoice = "configured" | "scripted" | "refuse";

/** R10: the scripted model leads only while setup is incomplete, there is a console, and no model is named. */
export function chooseLead({ setupComplete, ui, named }: LeadFacts): LeadChoice {
  if (named || setupComplete) return "configured";
  return ui === "none" ? "refuse" : "scripted";
}

/**
 * Whether any layer names providers, a model, `SVC_MODEL` or `MODEL_API_KEY` (R10). The retiring keys are a
 * providers block in its old form, so they count, `MODEL_API_BASE` among them.
 */
export function namesModel(provenance: ReadonlyMap<string, Provenance>): boolean {
  return ["providers", "model.name", "model.provider", "model.api_base", "model.api_key"].some(
    (key) => (provenance.get(key)?.layer ?? "default") !== "default",
  );
}
