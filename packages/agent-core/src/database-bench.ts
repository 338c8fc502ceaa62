import { createStoreThreads } from "./database/index.ts";

/** For all stores that the tests of a process open: threads of its own are most of what opening one costs. */
export const benchThreads = createStoreThreads({ stay: true });
