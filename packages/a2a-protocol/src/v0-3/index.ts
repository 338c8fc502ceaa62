export { COST_EXTENSION } from "./cost.ts";
export type { FrameWriter } from "./frame-writer.ts";
export { createFrameWriter } from "./frame-writer.ts";
export { frameFromWire, pushConfigFromWire, taskFromWire } from "./from-wire.ts";
export {
  pushConfigToWire,
  readListPushParams,
  readPushConfigParams,
  readSetPushParams,
  taskPushConfigToWire,
} from "./push-config.ts";
export { readListTasksParams } from "./read-list-params.ts";
export { readCancelParams, readGetParams, readResubscribeParams, readSendParams } from "./read-params.ts";
export { artifactToWire, frameToWire, messageToWire, partToWire, taskToWire } from "./to-wire.ts";
export type {
  WireArtifact,
  WireArtifactUpdate,
  WireFrame,
  WireMessage,
  WirePart,
  WirePushConfig,
  WireStatusUpdate,
  WireTask,
  WireTaskData,
  WireTaskPushConfig,
  WireTaskState,
  WireTaskStatus,
} from "./wire.ts";
export { sendParamsToWire } from "./write-params.ts";
