import { files as filesKey } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { browseFolder } from "./browse-folder.ts";
import { codePaneService } from "./code-pane-service.ts";

/** The operator's view of files: choosing folders, reading a project's files and what differs in it. */
export const files = defineServiceFeature({
  services(_, host) {
    const { settings } = host;
    const { fence } = host.opened(filesKey);
    return {
      files: {
        browse: (query) => browseFolder(query, { projects: fence.projects.reachable }),
        roots: () => ({
          enabled: settings.filesystem.enabled,
          roots: Object.fromEntries(fence.projects.reachable.map(({ name, root }) => [name, root])),
        }),
      },
      codePane: codePaneService(fence, host),
    };
  },
  flags: ({ settings: { filesystem } }) => ({
    files: filesystem.enabled,
    code_pane: filesystem.enabled && filesystem.code_pane,
  }),
});
