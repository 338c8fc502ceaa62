import { isOpen } from "../../access/index.ts";
import type { ServerSettings } from "../../settings/index.ts";

/** Whether anything is shared, or why not (O9). Read at each use. */
export function sharesState({ shares, credentials }: Pick<ServerSettings, "shares" | "credentials">) {
  if (!shares.enabled) return "switched_off" as const;
  return isOpen(credentials) ? ("no_token" as const) : ("on" as const);
}
