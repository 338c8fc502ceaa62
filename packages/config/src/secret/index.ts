export { readOverlay } from "./read-overlay.ts";
export { secretValues } from "./secret-values.ts";
export { type OverlayContent, writeOverlay } from "./write-overlay.ts";
