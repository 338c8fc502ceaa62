import { defineFeature, files, onboardingSection, onboardingTools } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { createSettingsSaver } from "../../settings/index.ts";
import { cloneFor } from "./clone-for-operators.ts";
import { cloneRootOf, cloningOf } from "./cloning.ts";
import { projectsService } from "./projects-service.ts";

/** The folders that the agent may work in: for operators and for its own tools, and the notice that they changed. */
export const projects = defineServiceFeature({
  engine: (host) =>
    defineFeature({
      name: "projects",
      category: "files",
      needs: [files],
      sections: [onboardingSection],
      topics: ["projects.changed"],
      open({ bus, processes, clock }, { needs, settings }) {
        const { live } = host;
        const { fence } = needs.filesystem;
        const registrar = projectsService(fence, createSettingsSaver(live), live.settings);
        const cloning = cloningOf(host, { processes, clock, fence });
        let before = JSON.stringify(live.settings.fence.projects);
        const unsubscribe = live.subscribe(() => {
          const now = JSON.stringify(live.settings.fence.projects);
          if (now !== before) bus.publish("projects.changed", {});
          before = now;
        });
        const tools = onboardingTools({
          cloning,
          register: (project) => registrar.add(project),
          settings: () => settings.onboarding,
          root: () => cloneRootOf(live.settings),
        });
        return { registrar, cloning, tools, unsubscribe };
      },
      tools: ({ tools }) => tools,
      start({ cloning }) {
        const root = cloneRootOf(host.live.settings);
        if (root !== undefined) void cloning.removeLeftovers(root);
      },
      close: ({ unsubscribe }) => unsubscribe(),
    }),
  services: ({ registrar, cloning }) => ({ projects: { ...registrar, clone: cloneFor(registrar, cloning) } }),
  flags: ({ settings }) => ({ projects: settings.filesystem.enabled }),
});
