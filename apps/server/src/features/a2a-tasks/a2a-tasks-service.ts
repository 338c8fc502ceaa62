import {
  type AgentCore,
  listTasks,
  mapTexts,
  readTimeline,
  searchTasks,
  type TaskOrigin,
  type TaskState,
} from "@agent-service/agent-core/host";
import type { A2ATasksService } from "@agent-service/operator-api";

/** Tasks read at a time: each may be as long as its longest message. */
const READ_AT_ONCE = 4;

/** The tasks of the engine, of every class and origin, for the operator API. */
export function a2aTasksService(
  { db, journal, service }: Pick<AgentCore, "db" | "journal" | "service">,
  redact: (text: string) => string,
): A2ATasksService {
  return {
    async list({ search, ...filter }, page) {
      const store = { db, journal, redactor: { text: redact } };
      const { cursors, next } =
        search === undefined ? await listTasks(store, filter, page) : await searchTasks(store, filter, search, page);
      const tasks = [];
      for (let start = 0; start < cursors.length; start += READ_AT_ONCE) {
        const some = cursors.slice(start, start + READ_AT_ONCE);
        const handles = await Promise.all(some.map(({ id }) => service.get(id)));
        // Retention may have deleted it meanwhile.
        for (const handle of handles) if (handle !== undefined) tasks.push(handle.view);
      }
      return { tasks, ...(next && { next }) };
    },
    async journal(id, range) {
      const handle = await service.get(id);
      if (handle === undefined) return undefined;
      const task = handle.view;
      const { statements } = journal;
      const [timeline, rows] = await Promise.all([
        readTimeline({ db, statements }, { task: id, head: task.seq }, range),
        db.read(statements.selectChildren.bind({ parent: id })),
      ]);
      const children = rows.map(([child, origin, state]) => ({
        ...{ id: String(child), origin: origin as TaskOrigin, state: state as TaskState },
      }));
      return { ...timeline, task, children };
    },
    redacted: (value) => mapTexts(value, redact),
  };
}
