import { runShare } from "./rig/share-journeys.ts";

await runShare(2, 4);
