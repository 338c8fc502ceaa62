import type { AgentEngine, PromptSnapshots } from "@agent-service/agent-core/host";
import type { PromptsService } from "@agent-service/operator-api";

/** Maximum tasks of one turn whose calls are returned. */
const MAX_SHOWN = 50;

/** The captured calls of a turn, with those of what it delegated, each named by its role (B42). */
export function promptsOfTask(
  prompts: Pick<PromptSnapshots, "ofTask">,
  core: Pick<AgentEngine, "service" | "db" | "journal">,
): PromptsService["ofTask"] {
  const ofRole = async (task: string) => {
    const [found, handle] = await Promise.all([prompts.ofTask(task), core.service.get(task)]);
    const subagent_type = handle?.view.role ?? null;
    return found && { ...found, calls: found.calls.map((call) => ({ ...call, subagent_type })) };
  };
  return async (task) => {
    const found = await ofRole(task);
    if (found === undefined) return undefined;
    const rows = await core.db.read(core.journal.statements.selectChildren.bind({ parent: task }));
    const children = rows.flatMap(([id, origin]) => (origin === "subagent" ? [String(id)] : [])).slice(0, MAX_SHOWN);
    const subagents = await Promise.all(
      children.map(async (task_id) => {
        const { calls = [], messages = [] } = (await ofRole(task_id)) ?? {};
        return { task_id, calls, messages };
      }),
    );
    return { ...found, subagents };
  };
}
