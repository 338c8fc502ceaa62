import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The checkout this file runs from, if it does (ruling N3): its `config/` is the configuration then. */
export function checkoutRoot(): string | undefined {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  return existsSync(`${root}/pnpm-workspace.yaml`) ? root : undefined;
}
