import { defineFeature, files } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { createSettingsSaver } from "../../settings/index.ts";
import { projectsService } from "./projects-service.ts";

/** The folders that the agent may work in, for operators, and the notice that they changed. */
export const projects = defineServiceFeature({
  engine: ({ live }) =>
    defineFeature({
      name: "projects",
      topics: ["projects.changed"],
      open({ bus }) {
        let before = JSON.stringify(live.settings.fence.projects);
        return live.subscribe(() => {
          const now = JSON.stringify(live.settings.fence.projects);
          if (now !== before) bus.publish("projects.changed", {});
          before = now;
        });
      },
      close: (unsubscribe) => unsubscribe(),
    }),
  services: (_, host) => ({
    projects: projectsService(host.opened(files).fence, createSettingsSaver(host.live), host.settings),
  }),
  flags: ({ settings }) => ({ projects: settings.filesystem.enabled }),
});
