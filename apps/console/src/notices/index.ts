export { ConfirmRemoval, type ConfirmRemovalProps } from "./confirm-removal.tsx";
export type { Notice } from "./newest-notices.ts";
export { NoticesProvider, useNotices } from "./notices.tsx";
