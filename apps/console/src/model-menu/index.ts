export { EffortChip } from "./effort-chip.tsx";
export { ModelChip } from "./model-chip.tsx";
