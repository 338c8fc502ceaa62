import { realpathSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isKernelFileSystem } from "../file-name/index.ts";
import { below } from "./project.ts";

/** The real path, as far as it exists. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent === "/" ? 1 : parent.length + 1));
  }
}

/**
 * Why a folder cannot be a project (F1): a reason that fits behind its name; undefined: it can. `places` are protected;
 * a workspace may lie in them.
 */
export function rootProblem(
  path: string,
  places: readonly string[],
  workspaces: readonly string[],
): string | undefined {
  const real = realOf(path);
  if (real === "/") return "the root of the file system cannot be a project";
  if (isOfKernel(real)) return "a file system of the kernel cannot be a project";
  const isWorkspace = workspaces.some((workspace) => real === realOf(workspace));
  const holding = places.find((place) => {
    const rest = below(realOf(place), real);
    return rest !== undefined && !(isWorkspace && rest !== "");
  });
  return holding === undefined ? undefined : `it lies in ${holding}, which the service keeps for itself`;
}

function isOfKernel(path: string): boolean {
  try {
    return isKernelFileSystem(statfsSync(path).type);
  } catch {
    return false;
  }
}
