export type { A2AErrorDetails, A2AErrorReason } from "./a2a-error.ts";
export {
  A2AError,
  contentTypeNotSupported,
  errorKinds,
  invalidParams,
  promptNotPending,
  taskNotFound,
} from "./a2a-error.ts";
export { ForbiddenError } from "./forbidden-error.ts";
export { OverloadedError } from "./overloaded-error.ts";
export { TaskNotWaitingError } from "./task-not-waiting-error.ts";
