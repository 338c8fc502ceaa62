import { type AnyTool, createEgress, fetchUrl, generalTools } from "@agent-service/agent-core";
import type { ServerSettings } from "./sections/index.ts";

/** The tools the service brings (document 3 "Tool catalogue"), in the order the model is shown them. */
export function serviceTools({ egress }: Pick<ServerSettings, "egress">): readonly AnyTool[] {
  const guard = createEgress({ allowedHosts: egress.allowed_hosts });
  return [...generalTools(), fetchUrl({ egress: () => guard })];
}
