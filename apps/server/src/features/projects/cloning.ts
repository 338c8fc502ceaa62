import { resolve } from "node:path";
import {
  type AgentEngine,
  type Clock,
  Cloning,
  createHostCheck,
  type Fence,
  processEnvironment,
} from "@agent-service/agent-core/host";
import { expandHome, makeFolder } from "@agent-service/config";
import { notedRefusal } from "../../logging/index.ts";
import type { ServiceHost } from "../../service-feature/index.ts";
import { derive, type ServerSettings } from "../../settings/index.ts";

interface CloningParts {
  readonly processes: AgentEngine["processes"];
  readonly clock: Clock;
  readonly fence: Pick<Fence, "projects">;
}

/** The folder of clones; undefined: there is none. */
export function cloneRootOf({ onboarding }: Pick<ServerSettings, "onboarding">): string | undefined {
  return onboarding.root === "" ? undefined : resolve(expandHome(onboarding.root));
}

/** Cloning by the settings of the running service, through its egress guard. */
export function cloningOf(
  { settings, logging }: Pick<ServiceHost, "settings" | "logging">,
  { processes, clock, fence }: CloningParts,
): Cloning {
  const onRefused = notedRefusal(logging.debug, "clones");
  const check = derive(
    () => [settings.egress],
    ({ allowed_hosts }) => createHostCheck({ allowedHosts: allowed_hosts, onRefused }),
  );
  return new Cloning({
    settings: () => settings.onboarding,
    makeRoot(root) {
      const folder = resolve(expandHome(root));
      makeFolder(folder);
      return folder;
    },
    addressesOf: (url) => check()(url),
    programs: processes,
    clock,
    environment: () =>
      processEnvironment({ inherited: process.env, writable: fence.projects.reachable.map(({ root }) => root) }),
  });
}
