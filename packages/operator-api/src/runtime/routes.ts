import type { ApiContents } from "../resource/index.ts";
import { defineRoute, json, type ReplyInput, type ServedRoute, serve } from "../route/index.ts";
import { runtimeStatusSchema } from "./schema.ts";

export const readRuntimeStatus = defineRoute({
  name: "runtime.status",
  method: "GET",
  path: "/api/runtime/status",
  tag: "Runtime",
  summary: "What the service runs on and which features it has",
  reply: json(runtimeStatusSchema),
});

/** Implemented by the service. */
export interface RuntimeService {
  /** What runs now; never rejects. Which features there are is added from the resources. */
  status(): Promise<Omit<ReplyInput<typeof readRuntimeStatus.reply>, "features">>;
}

export function runtimeRoutes(runtime: RuntimeService, api: ApiContents): readonly ServedRoute[] {
  return [serve(readRuntimeStatus, async () => ({ ...(await runtime.status()), features: api.features() }))];
}
