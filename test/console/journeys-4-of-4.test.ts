import { runShare } from "./rig/share-journeys.ts";

await runShare(4, 4);
