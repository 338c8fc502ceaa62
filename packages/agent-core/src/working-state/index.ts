export { withWorkingState } from "./with-working-state.ts";
export {
  type WorkingAsk,
  type WorkingKind,
  type WorkingPart,
  type WorkingRow,
  type WorkingSource,
  workingLine,
} from "./working-part.ts";
