export { addWatch, checkWatch, clearWatch, editWatch } from "./change-watches.ts";
export { listWatches, showFires, showWatch } from "./show-watches.ts";
