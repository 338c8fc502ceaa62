export { sharedBlocks } from "./share-blocks.ts";
export { shareRoutes } from "./share-routes.ts";
export { sharesState } from "./share-state.ts";
