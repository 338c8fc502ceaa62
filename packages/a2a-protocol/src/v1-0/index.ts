export type { ErrorDetail } from "./error-details.ts";
export { errorDetails } from "./error-details.ts";
export { frameFromWire, pushConfigFromWire, pushConfigsFromWire, taskFromWire, tasksFromWire } from "./from-wire.ts";
export { readListPushParams, readPushConfigParams, readSetPushParams } from "./push-config.ts";
export { readListTasksParams } from "./read-list-params.ts";
export { readCancelParams, readGetParams, readSendParams, readSubscribeParams } from "./read-params.ts";
export type { TaskWriter } from "./task-writer.ts";
export { createTaskWriter } from "./task-writer.ts";
