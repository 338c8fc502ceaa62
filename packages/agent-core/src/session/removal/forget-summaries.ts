import type { Database } from "../../database/index.ts";
import { FIRST, FORGET_SUMMARIES, FORKS } from "./removal-statements.ts";

/**
 * Takes out of a conversation and of its forks what summaries may say of turns of which nothing stays. Call it before their
 * messages go. @returns the forks, which were shown these turns @throws DatabaseError
 */
export async function forgetSummaries(db: Database, id: string, tasks: readonly string[]): Promise<readonly string[]> {
  const of = { id, tasks: JSON.stringify(tasks) };
  const forks = (await db.read(FORKS.bind(of))).map(([fork]) => String(fork));
  const [row] = await db.read(FIRST.bind(of));
  const first = row?.[0];
  if (typeof first !== "number") return forks;
  const statements = [id, ...forks].flatMap((context) =>
    FORGET_SUMMARIES.map((forget) => forget.bind({ id: context, first })),
  );
  await db.commit({ label: "session.forget", statements, overwrite: true });
  return forks;
}
