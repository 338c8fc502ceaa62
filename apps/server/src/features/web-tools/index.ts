import { webTools as agentWebTools, createEgress, defineTools, searchHosts } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { derive, type ServerSettings } from "../../settings/index.ts";

/** `fetch_url` and `web_search`, each behind an egress guard of its own: only searches reach the search provider's hosts. */
function webToolsOf(settings: ServerSettings) {
  const egress = derive(
    () => [settings.egress],
    ({ allowed_hosts }) => createEgress({ allowedHosts: allowed_hosts }),
  );
  const search = derive(
    () => [settings.egress, settings.web_search],
    ({ allowed_hosts }, webSearch) => ({
      settings: webSearch,
      egress: createEgress({ allowedHosts: [...allowed_hosts, ...searchHosts(webSearch)] }),
    }),
  );
  return agentWebTools({ egress, search });
}

export const webTools = defineServiceFeature({
  engine: ({ settings }) => defineTools("web", () => webToolsOf(settings)),
});
