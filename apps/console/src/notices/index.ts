export { type Notice, NoticesProvider, useNotices } from "./notices.tsx";
