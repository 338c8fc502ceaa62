import { namedStatement, type Statement } from "../database/index.ts";
import { isActivity } from "./activity-context.ts";

/** Days a row outlives its task at most; the task itself leaves by the journal's retention. */
const KEPT_MS = 400 * 86_400_000;
const NOTHING: readonly Statement[] = [];
const INSERT = namedStatement("INSERT INTO activity (task, at) VALUES (:id, :at)");
const SWEEP = namedStatement(
  "DELETE FROM activity WHERE task IN (SELECT task FROM activity WHERE at < :before ORDER BY at LIMIT 10)",
);

/** What a task that is being accepted leaves for the feed, in the same commit. Nothing, for nearly every task. */
export function noteActivity(
  task: Parameters<typeof isActivity>[0] & { readonly id: string },
  at: number,
): readonly Statement[] {
  if (!isActivity(task)) return NOTHING;
  return [INSERT.bind({ id: task.id, at }), SWEEP.bind({ before: at - KEPT_MS })];
}
