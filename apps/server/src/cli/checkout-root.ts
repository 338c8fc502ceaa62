import { existsSync } from "node:fs";
import { join } from "node:path";
import { serverPackage } from "./server-package.ts";

/** The checkout the service runs from, if it does (N3): its `config/` is the configuration then. */
export function checkoutRoot(): string | undefined {
  const own = serverPackage();
  const root = own && join(own.folder, "../..");
  return root !== undefined && existsSync(join(root, "pnpm-workspace.yaml")) ? root : undefined;
}
