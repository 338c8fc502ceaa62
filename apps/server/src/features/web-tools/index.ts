import { webTools as agentWebTools, createEgress, defineTools, searchHosts } from "@agent-service/agent-core/host";
import { notedRefusal } from "../../logging/index.ts";
import { defineServiceFeature, type ServiceHost } from "../../service-feature/index.ts";
import { derive } from "../../settings/index.ts";

/** `fetch_url` and `web_search`, each behind an egress guard of its own: only searches reach the search provider's hosts. */
function webToolsOf({ settings, logging }: Pick<ServiceHost, "settings" | "logging">) {
  const onRefused = notedRefusal(logging.debug, "web tools");
  const egress = derive(
    () => [settings.egress],
    ({ allowed_hosts }) => createEgress({ allowedHosts: allowed_hosts, onRefused }),
  );
  const search = derive(
    () => [settings.egress, settings.web_search],
    ({ allowed_hosts }, webSearch) => ({
      settings: webSearch,
      egress: createEgress({ allowedHosts: [...allowed_hosts, ...searchHosts(webSearch)], onRefused }),
    }),
  );
  return agentWebTools({ egress, search });
}

export const webTools = defineServiceFeature({
  engine: (host) => defineTools("web", () => webToolsOf(host)),
});
