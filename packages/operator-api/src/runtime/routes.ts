import { defineRoute, json, type ReplyInput, type ServedRoute, serve } from "../route/index.ts";
import { runtimeStatusSchema } from "./schema.ts";

/** `GET /api/runtime/status`. */
export const readRuntimeStatus = defineRoute({
  name: "runtime.status",
  method: "GET",
  path: "/api/runtime/status",
  tag: "Runtime",
  summary: "What the service runs on and which features it has",
  reply: json(runtimeStatusSchema),
});

/** What the runtime's routes are over. */
export interface RuntimeService {
  /** The present; never fails. */
  status(): Promise<ReplyInput<typeof readRuntimeStatus.reply>>;
}

/** Serves the runtime's routes. */
export function runtimeRoutes(runtime: RuntimeService): readonly ServedRoute[] {
  return [serve(readRuntimeStatus, () => runtime.status())];
}
