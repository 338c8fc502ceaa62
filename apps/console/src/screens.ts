import { approvals } from "./features/approvals/index.ts";
import { chat } from "./features/chat/index.ts";
import { observe } from "./features/observe/index.ts";
import { settings } from "./features/settings/index.ts";
import { setup } from "./features/setup/index.ts";
import { tasks } from "./features/tasks/index.ts";
import { work } from "./features/work/index.ts";
import type { Screen } from "./shell/index.ts";

/** The console's screens in the order of the rail: a feature's folder brings each. */
export const screens: readonly Screen[] = [chat, approvals, tasks, work, observe, settings, setup];
