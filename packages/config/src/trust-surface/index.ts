export { isTrustSurface } from "./trust-surface.ts";
