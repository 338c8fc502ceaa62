import { type AnyTool, createEgress, generalTools, searchHosts, webTools } from "@agent-service/agent-core";
import type { ServerSettings } from "./sections/index.ts";

/** The tools the service brings (document 3 "Tool catalogue"), in the order the model is shown them. */
export function serviceTools({ egress, webSearch }: Pick<ServerSettings, "egress" | "webSearch">): readonly AnyTool[] {
  const pages = createEgress({ allowedHosts: egress.allowed_hosts });
  const searches = createEgress({ allowedHosts: [...egress.allowed_hosts, ...searchHosts(webSearch)] });
  return [
    ...generalTools(),
    ...webTools({ egress: () => pages, search: () => ({ settings: webSearch, egress: searches }) }),
  ];
}
