import { createHash } from "node:crypto";

const UUID_7 = /^([0-9a-f]{8})([0-9a-f]{4})7/;

/**
 * The id of the task that does the `position`th delegation of a call (from 0): always the same, so that a call which is
 * made again after a restart finds the task it had started and starts no second one (R3). It begins with the time
 * of the call, as ids do.
 */
export function childTaskId(call: string, position: number): string {
  const hash = createHash("sha256").update(`${call}\0${position}`).digest("hex");
  // Ids of calls are a prefix, `_`, and a UUID without its dashes; others have no time in them.
  const [, high = hash.slice(32, 40), low = hash.slice(40, 44)] = UUID_7.exec(call.replace(/^[a-z]+_/, "")) ?? [];
  const variant = "89ab"[Number.parseInt(hash[3]!, 16) & 3];
  return `${high}-${low}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(8, 20)}`;
}
