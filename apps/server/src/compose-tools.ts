import { type AnyTool, createEgress, generalTools, searchHosts, webTools } from "@agent-service/agent-core";
import { derive, type ServerSettings } from "./sections/index.ts";

/** The tools the service brings (document 3 "Tool catalogue"), in the order the model is shown them. */
export function serviceTools(settings: Pick<ServerSettings, "egress" | "webSearch">): readonly AnyTool[] {
  const pages = derive(
    () => [settings.egress],
    ({ allowed_hosts }) => createEgress({ allowedHosts: allowed_hosts }),
  );
  const search = derive(
    () => [settings.egress, settings.webSearch],
    ({ allowed_hosts }, webSearch) => ({
      settings: webSearch,
      egress: createEgress({ allowedHosts: [...allowed_hosts, ...searchHosts(webSearch)] }),
    }),
  );
  return [...generalTools(), ...webTools({ egress: pages, search })];
}
