import { runShare } from "./rig/share-journeys.ts";

await runShare(1, 4);
