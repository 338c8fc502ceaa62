import { runShare } from "./rig/share-journeys.ts";

await runShare(3, 4);
