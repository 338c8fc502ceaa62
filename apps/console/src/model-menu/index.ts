export { ModelChip } from "./model-chip.tsx";
