/** ListTasks over the engine (A2A 1.0.1 3.1.4, A16). */
import type { ListTasksResponse, Task, TaskState } from "@agent-service/a2a-protocol";
import { type CallContext, cursorOfToken, pageToken, type TaskQuery } from "@agent-service/a2a-protocol/server";
import {
  type AgentCore,
  type TaskState as CoreState,
  listTasks,
  OPERATOR_CLASS,
  type TaskCursor,
  type TaskFilter,
} from "@agent-service/agent-core/host";
import { protocolError } from "./protocol-error.ts";
import { taskOfView } from "./task-of-view.ts";

/** Characters of JSON after which a page ends before it is full: histories may hold files. */
const PAGE_LENGTH = 4 * 1024 * 1024;
/** Tasks read at a time: each may be as long as its longest message. */
const READ_AT_ONCE = 4;

/** The engine's states behind one of the wire; no task is in the others (A5). */
const CORE_STATES: ReadonlyMap<TaskState, readonly [CoreState, CoreState?]> = new Map([
  ["TASK_STATE_WORKING", ["queued", "running"]],
  ["TASK_STATE_INPUT_REQUIRED", ["parked"]],
  ["TASK_STATE_COMPLETED", ["completed"]],
  ["TASK_STATE_FAILED", ["failed"]],
  ["TASK_STATE_CANCELED", ["canceled"]],
]);

/** The parts of the engine that the list reads. */
export type ListedCore = Pick<AgentCore, "db" | "journal" | "service">;

/**
 * The tasks a caller may see, one page. Throws `A2AError` INVALID_PARAMS for an invalid page token, `OverloadedError`
 * where the store does not answer.
 */
export async function listCoreTasks(core: ListedCore, query: TaskQuery, call: CallContext): Promise<ListTasksResponse> {
  const { pageSize, status } = query;
  const after = query.pageToken === undefined ? undefined : cursorOfToken(query.pageToken);
  const states = status === undefined ? undefined : CORE_STATES.get(status);
  if (status !== undefined && states === undefined) return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
  const filter: TaskFilter = {
    ...(call.caller.class !== OPERATOR_CLASS && { class: call.caller.class }),
    ...(query.contextId !== undefined && { context: query.contextId }),
    ...(states && { states }),
    ...(query.statusSince !== undefined && { since: query.statusSince }),
  };
  try {
    const page = await listTasks(core, filter, { limit: pageSize, ...(after && { after }) });
    const { tasks, last } = await readTasks(core, page.cursors, query, call);
    const next = last ?? page.next;
    return { tasks, nextPageToken: next === undefined ? "" : pageToken(next), pageSize, totalSize: page.total };
  } catch (error) {
    throw protocolError(error);
  }
}

/** The tasks at these cursors, as many as a page may hold. `last`: where it had to end early. */
async function readTasks(
  { service }: ListedCore,
  cursors: readonly TaskCursor[],
  query: TaskQuery,
  { caller }: CallContext,
): Promise<{ readonly tasks: readonly Task[]; readonly last?: TaskCursor }> {
  const viewer = { mayApprove: caller.class === OPERATOR_CLASS };
  const tasks: Task[] = [];
  let length = 0;
  for (let start = 0; start < cursors.length; start += READ_AT_ONCE) {
    const some = cursors.slice(start, start + READ_AT_ONCE);
    const handles = await Promise.all(some.map(({ id }) => service.get(id)));
    for (const [i, handle] of handles.entries()) {
      // Retention may have come in between.
      if (handle === undefined) continue;
      const task = shown(taskOfView(handle.view, viewer), query);
      tasks.push(task);
      length += JSON.stringify(task).length;
      const isLast = start + i === cursors.length - 1;
      if (length > PAGE_LENGTH && !isLast) return { tasks, last: some[i]! };
    }
  }
  return { tasks };
}

/** Without the parts that the caller did not request, so that they do not count. */
function shown({ artifacts, history, ...task }: Task, { includeArtifacts, historyLength }: TaskQuery): Task {
  return {
    ...task,
    ...(includeArtifacts && artifacts && { artifacts }),
    ...(history && historyLength !== 0 && { history: history.slice(historyLength === undefined ? 0 : -historyLength) }),
  };
}
