/** How tasks ended, against what their scripts say. */
import { checkReplays } from "./check-replay.ts";
import type { Job } from "./jobs.ts";
import { isTerminal, type Ledger } from "./ledger.ts";
import type { OnRestart } from "./service-life.ts";
import type { WireTask } from "./wire.ts";

const INTERRUPTED = "The task was interrupted by a server restart.";
/** What a direct call says that a kill interrupted and that a person does not want once more. */
const LEFT = "may have happened; a person decided not to run it again";

/** What was asked for in a trial. */
export interface EndedJobs {
  readonly jobs: readonly Job[];
  readonly ledger: Ledger;
  readonly onRestart: OnRestart;
}

function finalText(task: WireTask): string {
  const answer = task.artifacts?.find((artifact) => artifact.artifactId === "answer");
  return answer?.parts.map((part) => part.text ?? "").join("") ?? "";
}

/** How acknowledged tasks may have ended, by their scripts and what was done to them, and that their replays say the same. */
export async function checkEnds(
  url: string,
  { ledger, jobs, onRestart }: EndedJobs,
  seen: readonly WireTask[],
): Promise<void> {
  const scripts = new Map(jobs.map((job) => [job.token, job]));
  for (const task of seen) {
    const known = ledger.tasks.get(task.id);
    const job = known === undefined ? undefined : scripts.get(known.token);
    const { state, message } = task.status;
    const why = message?.parts[0]?.text ?? "";
    if (!isTerminal(task)) ledger.blame(`TU1: task ${task.id} is ${state} although nothing runs`);
    if (known === undefined || job === undefined) continue;
    if (state === "canceled" && !known.cancelAsked) ledger.blame(`A8: no one canceled ${task.id}`);
    if (state === "failed" && !(onRestart !== "resume" && why === INTERRUPTED) && job.says !== "") {
      ledger.blame(`task ${task.id} (${job.token}) failed: ${why}`);
    }
    const isLeft = job.put?.path.startsWith("/api/tools/") === true && finalText(task).includes(LEFT);
    if (state === "completed" && !isLeft && (job.says === "" || !finalText(task).includes(job.says))) {
      ledger.blame(`EN4: task ${task.id} (${job.token}) answered ${JSON.stringify(finalText(task).slice(0, 300))}`);
    }
  }
  await checkReplays(url, ledger);
}
