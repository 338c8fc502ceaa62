import type { ReactElement } from "react";
import { FirstPart } from "../../parts/index.ts";
import { EXTENSION_PARTS } from "./extension-parts.ts";

/** Opens the first page of the screen. */
export function ExtensionsHome(): ReactElement {
  return <FirstPart parts={EXTENSION_PARTS} />;
}
