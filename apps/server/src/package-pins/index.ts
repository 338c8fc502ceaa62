export { unpinnedWarning } from "./unpinned-warning.ts";
