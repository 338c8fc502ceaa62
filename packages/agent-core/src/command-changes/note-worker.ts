/** The thread that notes and compares the files of a project: one job. */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { compareNote } from "./compare-note.ts";
import type { CompareJob, NoteJob, TreeAnswer } from "./note-message.ts";
import { takeNote } from "./take-note.ts";

const job = workerData as NoteJob | CompareJob;
const port = parentPort!;
const answer = (message: TreeAnswer): void => port.postMessage(message);

if (job.kind === "compare") answer({ compared: compareNote(job) });
else {
  const taken = await takeNote(job, async (contents) => {
    answer({ contents });
    const [secret] = (await once(port, "message")) as [readonly boolean[]];
    return secret;
  });
  answer({ taken });
}
port.close();
