/** A step of the test command: bundles what the proofs start, which several test files share, unless its content was bundled before. */
import { bundledContent } from "./bundled-service.ts";

console.log(`services: ${bundledContent()}`);
