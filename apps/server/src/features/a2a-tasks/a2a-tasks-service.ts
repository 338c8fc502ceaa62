import {
  type AgentCore,
  listTasks,
  mapTexts,
  readTimeline,
  searchTasks,
  type TaskCursor,
  type TaskFilter,
  type TaskOrigin,
  type TaskState,
  type TaskView,
  type turnTelemetry,
  type ValueOf,
  withoutMarks,
} from "@agent-service/agent-core/host";
import { type A2ATasksService, Problem, type RunFilter } from "@agent-service/operator-api";

/** Tasks read at a time: each may be as long as its longest message. */
const READ_AT_ONCE = 4;

type Telemetry = ValueOf<typeof turnTelemetry>;

interface CursorPage {
  readonly cursors: readonly TaskCursor[];
  readonly next?: TaskCursor;
}

/** The tasks of the engine, of every class and origin, for the operator API. */
export function a2aTasksService(
  { db, journal, service }: Pick<AgentCore, "db" | "journal" | "service">,
  telemetry: Telemetry,
  redact: (text: string) => string,
): A2ATasksService {
  const pageOf = (
    { search, model, tool, ...filter }: RunFilter,
    page: { readonly limit: number; readonly after?: TaskCursor },
  ): Promise<CursorPage> => {
    const uses = { ...(model !== undefined && { model }), ...(tool !== undefined && { tool }) };
    const list =
      model === undefined && tool === undefined
        ? (one: typeof page) => listTasks({ db, journal }, filter, one)
        : (one: typeof page) => listUsing(telemetry, { ...filter, ...uses }, one);
    return search === undefined ? list(page) : searchTasks({ db, redactor: { text: redact } }, list, search, page);
  };
  return {
    async list(filter, page) {
      const { cursors, next } = await pageOf(filter, page);
      const { states } = filter;
      // What a run used is known as of its last wait, after which it may have gone on.
      const fits = ({ state }: Readonly<TaskView>): boolean => states === undefined || states.includes(state);
      const tasks = [];
      for (let start = 0; start < cursors.length; start += READ_AT_ONCE) {
        const some = cursors.slice(start, start + READ_AT_ONCE);
        const handles = await Promise.all(some.map(({ id }) => service.get(id)));
        // Retention may have deleted it meanwhile.
        for (const handle of handles) if (handle !== undefined && fits(handle.view)) tasks.push(handle.view);
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
    // For people: what fences evidence is for the model.
    redacted: (value) => mapTexts(value, (text) => redact(withoutMarks(text))),
  };
}

/** Tasks that used a model or a tool, as far as telemetry knows: those that ended, and those that wait. */
async function listUsing(
  { enabled, reports, written }: Telemetry,
  { states, ...filter }: TaskFilter & { readonly model?: string; readonly tool?: string },
  page: { readonly limit: number; readonly after?: TaskCursor },
): Promise<CursorPage> {
  if (!enabled) throw new Problem(409, "Telemetry is off, which knows the model and the tools of a run.");
  const state = states?.[0];
  if (state === "queued" || state === "running") return { cursors: [] };
  await written();
  const named = state === "parked" ? "input-required" : state;
  return reports.using({ ...filter, ...(named && { state: named }) }, page);
}
