import type { Engine } from "../../feature/index.ts";
import { Commons, type CommonsOptions } from "./commons.ts";
import { CommonsMirror, type CommonsMirrorOptions } from "./commons-mirror.ts";

/** What is opened of the commons. */
export interface OpenCommons {
  readonly commons: Commons;
  readonly mirror: CommonsMirror;
}

/** The commons in a folder; blank: none are read. */
export function openCommons(
  { clock, log }: Pick<Engine, "clock" | "log">,
  options: Omit<CommonsMirrorOptions, "clock" | "onFailure"> & Omit<CommonsOptions, "mirror">,
): OpenCommons {
  const mirror = new CommonsMirror({
    ...{ ...options, clock },
    onFailure: (error) => log.warn(`the commons cannot be read, and turns go on without them: ${String(error)}`),
  });
  return { mirror, commons: new Commons({ ...options, mirror }) };
}
