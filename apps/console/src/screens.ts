/** Every screen of the console, a line each. Their order in the rail is each screen's own `order`. */
export { approvals } from "./features/approvals/index.ts";
export { chat } from "./features/chat/index.ts";
export { extensions } from "./features/extensions/index.ts";
export { files } from "./features/files/index.ts";
export { knowledge } from "./features/knowledge/index.ts";
export { observe } from "./features/observe/index.ts";
export { projects } from "./features/projects/index.ts";
export { settings } from "./features/settings/index.ts";
export { setup } from "./features/setup/index.ts";
export { tasks } from "./features/tasks/index.ts";
export { work } from "./features/work/index.ts";
