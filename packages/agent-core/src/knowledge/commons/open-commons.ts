import { isStoreGone } from "../../database/index.ts";
import type { Engine } from "../../feature/index.ts";
import { Commons, type CommonsOptions } from "./commons.ts";
import { CommonsMirror, type CommonsMirrorOptions } from "./commons-mirror.ts";

export { type CommonsPlace, NO_COMMONS } from "./commons-place.ts";

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
    onFailure(error) {
      if (!isStoreGone(error))
        log.warn(`the commons cannot be used, and turns go on with what is here: ${String(error)}`);
    },
  });
  return { mirror, commons: new Commons({ ...options, mirror }) };
}
