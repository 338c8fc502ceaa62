/** The approvals inbox over the engine's (O3). */
import {
  type AgentEngine,
  type ApprovalGrant,
  ASKED_BY_SETTINGS,
  DecisionError,
  hitlPayload,
  mapTexts,
  OPERATOR_CLASS,
  type WaitingPrompt,
  withoutMarks,
} from "@agent-service/agent-core/host";
import { type ApprovalsPage, type ApprovalsService, Problem } from "@agent-service/operator-api";

export interface ApprovalsServiceParts {
  readonly core: Pick<AgentEngine, "approvals" | "service">;
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
}

/** Characters of what a task was asked for that are shown with its prompts. */
const INPUT_CHARS = 300;

const STATUS = { unfit: 400, stale: 409, blocked: 409, full: 409 } as const;

function pageOf<T extends { readonly id: string; readonly createdAt: number }, TRow>(
  rows: readonly T[],
  limit: number,
  shown: (row: T) => TRow,
): ApprovalsPage<TRow> {
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows: rows.map(shown), end: last && { at: last.createdAt, id: last.id } };
}

export function approvalsService({ core: { approvals, service }, redact }: ApprovalsServiceParts): ApprovalsService {
  /** What the uppermost task was asked for, and the position of a prompt among those of its own task. */
  const storyOf = async ({ id, task, parents }: WaitingPrompt) => {
    const [own, top] = await Promise.all([service.get(task), service.get(parents.at(-1)?.task ?? task)]);
    const [first] = top?.view.history ?? [];
    const parts = first?.from === "caller" ? first.message.parts : [];
    const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
    const prompts = own?.view.prompts ?? [];
    const position = Math.max(
      0,
      prompts.findIndex(({ promptId }) => promptId === id),
    );
    const isInner = prompts[position]?.parentCall !== undefined;
    return { input: redact(withoutMarks(text.slice(0, 4 * INPUT_CHARS))).slice(0, INPUT_CHARS), position, isInner };
  };
  const promptRow = async (row: WaitingPrompt) => {
    const { id, task, context, origin, parents, payload, reason, createdAt } = row;
    const { isInner, ...story } = await storyOf(row);
    const asked = { promptId: id, callId: "", tool: "", reason, payload };
    return {
      id,
      kind: payload.kind,
      task_id: task,
      session_id: context,
      class: row.class,
      origin,
      parents: parents.map((parent) => ({ task_id: parent.task, session_id: parent.context, origin: parent.origin })),
      payload: mapTexts(hitlPayload(asked), redact),
      may_edit: payload.kind === "approval" && reason === "before" && !isInner,
      may_remember: payload.kind === "approval" && payload.grantable === true,
      asked_by_settings: payload.kind === "approval" && payload.detail === ASKED_BY_SETTINGS,
      ...story,
      created_at: new Date(createdAt).toISOString(),
    };
  };
  const grantRow = ({ id, tool, args, class: caller, createdAt }: ApprovalGrant) => ({
    id,
    tool,
    args: mapTexts(JSON.parse(args) as unknown, redact),
    class: caller,
    created_at: new Date(createdAt).toISOString(),
  });
  return {
    async list(limit, before, { task, session }) {
      const context = session === undefined ? undefined : { class: OPERATOR_CLASS, id: session };
      const { rows, end } = pageOf(await approvals.list(limit, before, { task, context }), limit, promptRow);
      return { rows: await Promise.all(rows), end };
    },
    pending: () => approvals.count(),
    async preview(id) {
      const shown = await approvals.preview(id);
      return shown && { made: mapTexts(shown.preview, redact), isChanged: shown.changedSince };
    },
    async decide(id, decision, key) {
      try {
        const handle = await approvals.decide(id, decision, key);
        return handle && { task: handle.id, session: handle.view.context, state: handle.view.state };
      } catch (error) {
        if (error instanceof DecisionError) throw new Problem(STATUS[error.code], error.message, { cause: error });
        throw error;
      }
    },
    grants: async (limit, before) => pageOf(await approvals.grants(limit, before), limit, grantRow),
    revoke: (id) => approvals.revoke(id),
  };
}
