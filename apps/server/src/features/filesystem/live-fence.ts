import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import type { ServiceHost } from "../../service-feature/index.ts";
import { type DeclaredProjects, derive } from "../../settings/index.ts";

/** Milliseconds after which it is looked again whether a missing folder is there. */
const LOOK_MS = 1_000;

type Host = Pick<ServiceHost, "settings" | "logging">;

/** The fence over the projects of the current settings: a save counts from the next call on (F1). */
export function liveFence({ settings, logging }: Host): Fence {
  const places = derive(
    () => [settings.fence],
    (declared) => new ProtectedPlaces(declared.places),
  );
  const round = { number: 0, at: 0 };
  const projects = derive(
    () => [settings.fence, round.number],
    (declared, _round) => registryOf(declared, logging),
  );
  return new Fence({
    projects() {
      const now = performance.now();
      if (projects().all.some(({ root }) => root === undefined) && now - round.at > LOOK_MS) {
        round.at = now;
        round.number++;
      }
      return projects();
    },
    places,
  });
}

function registryOf({ projects }: DeclaredProjects, logging: Host["logging"]): ProjectRegistry {
  for (const { source, path } of projects) if (source === "workspace") makeWorkspace(path, logging);
  return new ProjectRegistry(projects.map(projectAt));
}

function makeWorkspace(path: string, logging: Host["logging"]): void {
  try {
    makeFolder(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    logging.logger.warn(`the workspace ${path} cannot be made (${code}): the file tools reach nothing`);
  }
}
