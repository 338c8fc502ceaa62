import type { Timers } from "../../stream/index.ts";

/** Characters from which on reading a body takes so long that others should come first. */
const LARGE_BODY = 512 * 1024;

/**
 * After a body was read: undefined for most, and for a large one a promise that resolves when the runtime has served
 * whoever waited meanwhile. Reading, checking and storing ten mebibytes each take a while, and nothing else runs in any
 * of them; this keeps them apart.
 */
export function giveWay(body: string, timers: Timers): Promise<void> | undefined {
  if (body.length < LARGE_BODY) return undefined;
  return new Promise((resolve) => void timers.after(0, resolve));
}
