/** The command that removes turns of a conversation. */
import type { Statement } from "../../database/index.ts";
import { OWN_CONVERSATION } from "../../journal/index.ts";
import { ADOPT, ADOPT_MESSAGES, FORGET_JOBS, OF_SESSION, OF_TASK, REST, RETIRE, TASK } from "./removal-statements.ts";

interface Erasure {
  readonly id: string;
  /** Turns that become a fork's, with the fork's id. */
  readonly shared: ReadonlyMap<string, string>;
  readonly gone: readonly string[];
  /** Tasks that the turns in `gone` delegated, each with its conversation. */
  readonly delegated: ReadonlyMap<string, string>;
}

export function erasureOf({ id, shared, gone, delegated }: Erasure): Statement[] {
  const all = [...gone, ...delegated.keys()];
  const statements: Statement[] = [...shared].flatMap(([task, fork]) => [
    ...ADOPT.map((statement) => statement.bind({ task, fork })),
    ADOPT_MESSAGES.bind({ id, task, fork }),
  ]);
  for (const task of all) statements.push(...[...OF_TASK, TASK].map((of) => of.bind({ task })));
  statements.push(...OF_SESSION.map((of) => of.bind({ id, tasks: JSON.stringify(gone) })));
  statements.push(FORGET_JOBS.bind({ tasks: JSON.stringify(all) }));
  for (const [task, context] of delegated) {
    if (OWN_CONVERSATION.test(context)) statements.push(...[...REST, ...RETIRE].map((of) => of.bind({ id: context })));
    else statements.push(...OF_SESSION.map((of) => of.bind({ id: context, tasks: JSON.stringify([task]) })));
  }
  return statements;
}
