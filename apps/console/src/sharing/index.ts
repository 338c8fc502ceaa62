export { ShareDialog } from "./share-dialog.tsx";
export { ShareList } from "./share-list.tsx";
export type { ShareTarget } from "./use-share.ts";
