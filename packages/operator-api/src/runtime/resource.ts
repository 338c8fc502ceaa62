import { defineResource } from "../resource/index.ts";
import { readRuntimeStatus, runtimeRoutes } from "./routes.ts";

/** What the service runs on and which features it has. */
export const runtime = defineResource({
  name: "runtime",
  definitions: [readRuntimeStatus],
  routes: runtimeRoutes,
});
