import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { filesystem as filesystemTools } from "@agent-service/agent-core/host";
import { expandHome } from "@agent-service/config";
import { defineServiceFeature, type ServiceHost } from "../../service-feature/index.ts";
import { derive } from "../../settings/index.ts";
import { liveFence } from "./live-fence.ts";

export const filesystem = defineServiceFeature({
  engine: (host) => filesystemTools({ fence: liveFence(host), isCloned: inClones(host) }),
});

/** Whether a real path lies in the folder of clones. */
function inClones({ settings }: Pick<ServiceHost, "settings">): (path: string) => boolean {
  const clones = derive(
    () => [settings.onboarding],
    ({ root }) => (root === "" ? undefined : resolve(expandHome(root))),
  );
  return (path) => {
    const root = clones();
    return root !== undefined && `${path}/`.startsWith(`${realOf(root)}/`);
  };
}

/** A folder that does not exist yet holds nothing. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
