export type { Notice } from "./newest-notices.ts";
export { NoticesProvider, useNotices } from "./notices.tsx";
