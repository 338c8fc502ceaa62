/** The thread of a search: one job. Its libraries are loaded only here, and go with it. */
import { parentPort, workerData } from "node:worker_threads";
import { runTreeJob } from "./run-tree-job.ts";
import type { TreeJob } from "./tree-message.ts";

runTreeJob(workerData as TreeJob, (part) => parentPort?.postMessage(part));
