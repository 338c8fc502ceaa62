export type { CoreExecutorOptions, ServedSkill } from "./core-executor.ts";
export { coreExecutor } from "./core-executor.ts";
export { DECLARED_EXTENSIONS } from "./extension-uris.ts";
export { listCoreTasks } from "./list-tasks.ts";
export { webhookPosts } from "./webhook-posts.ts";
