export { ApiProvider, useApi, useConnection, useRuntimeStatus, useStaleQueries } from "./api-context.tsx";
export { type ConsoleApi, createConsoleApi, THEME_KEY } from "./console-api.ts";
export type { Connection, EventStream, ServiceEvent } from "./event-stream.ts";
export { isFinal } from "./is-final.ts";
export { type Place, placeOf } from "./place.ts";
export { provideRandomUuid } from "./random-uuid.ts";
export { requestKey } from "./request-key.ts";
export { createStored, type Stored } from "./stored.ts";
export { wait } from "./wait.ts";
