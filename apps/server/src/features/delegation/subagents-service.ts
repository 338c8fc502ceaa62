/** Subagents and delegations over the engine (B35, O4). */
import {
  batchText,
  DelegationError,
  type DelegationOutcome,
  type Delegations,
  inParallel,
  OPERATOR_CLASS,
  type Sessions,
} from "@agent-service/agent-core/host";
import {
  a2aStateOf,
  type DelegationsService,
  Problem,
  type SubagentsService,
  type SubagentWork,
} from "@agent-service/operator-api";
import { newErrorId } from "../../access/index.ts";

export interface SubagentsServiceParts {
  readonly delegations: Delegations;
  /** The current settings B53 `subagents`. */
  readonly settings: () => { readonly max_concurrency: number; readonly output_truncate: number };
  readonly log: FailureLog;
}

/** Logs a failure of a provider, under the id that the caller receives. */
export interface FailureLog {
  warn(fields: { readonly errorId: string; readonly tasks: readonly string[] }, message: string): void;
}

/** A failure of the model's provider: B31 has statuses of their own for those. */
function isUpstream({ failure }: Pick<DelegationOutcome, "failure">): boolean {
  return failure?.code.startsWith("model_") === true;
}

function upstreamProblem(outcomes: readonly DelegationOutcome[], session: string, log: FailureLog): Problem {
  const [first] = outcomes;
  const errorId = newErrorId();
  log.warn({ errorId, tasks: outcomes.map(({ task }) => task) }, "subagents failed at the model's provider");
  const limited = outcomes.every(({ failure }) => failure?.code === "model_rate_limited");
  const waits = outcomes.flatMap(({ failure }) => failure?.retryAfterSeconds ?? []);
  const detail = {
    code: first?.failure?.code.replace(/^model_/, "") ?? "upstream",
    message: first?.text ?? "The model's provider failed.",
    upstream_status: first?.failure?.upstreamStatus ?? null,
    session_id: session,
    error_id: errorId,
  };
  return new Problem(limited ? 429 : 502, detail, waits.length === 0 ? {} : { retryAfter: Math.max(...waits) });
}

/** An unknown role is the caller's error (O4). */
function asProblem(error: unknown): unknown {
  return error instanceof DelegationError ? new Problem(400, error.message, { cause: error }) : error;
}

export function subagentsService({ delegations, settings, log }: SubagentsServiceParts): SubagentsService {
  const need = ({ type }: SubagentWork): void => {
    try {
      delegations.roles.need(type);
    } catch (error) {
      throw asProblem(error);
    }
  };
  const perform = (
    session: string,
    { type: role, prompt, description }: SubagentWork,
    { name, position }: { readonly name: string | undefined; readonly position: number },
  ): Promise<DelegationOutcome> =>
    delegations.runAlone({ class: OPERATOR_CLASS, session }, { role, prompt, description, position }, name);
  return {
    list: () =>
      delegations.roles.list().map((role) => ({
        name: role.name,
        description: role.description,
        enabled: role.enabled,
        tools: role.tools,
        default_tools: role.defaultTools,
        max_turns: role.maxTurns,
        default_max_turns: role.defaultMaxTurns,
        model: role.model,
      })),
    async run(session, work, key) {
      need(work);
      const outcome = await perform(session, work, { name: key?.key, position: 0 });
      if (isUpstream(outcome)) throw upstreamProblem([outcome], session, log);
      return { ok: outcome.ok, session_id: session, task_id: outcome.task, output: outcome.text };
    },
    async batch(session, work, key) {
      for (const one of work) need(one);
      const { max_concurrency, output_truncate } = settings();
      const outcomes = await inParallel(work, max_concurrency, (one, index) =>
        perform(session, one, { name: key?.key, position: key === undefined ? 0 : index }),
      );
      if (outcomes.every(isUpstream)) throw upstreamProblem(outcomes, session, log);
      const tasks = work.map(({ type: subagent_type, description }) => ({ subagent_type, description }));
      return {
        ok: outcomes.every(({ ok }) => ok),
        session_id: session,
        output: batchText(tasks, outcomes, output_truncate),
        results: outcomes.map(({ ok, task: task_id, text: output }, i) => ({ ok, task_id, ...tasks[i]!, output })),
      };
    },
  };
}

export interface DelegationsServiceParts {
  readonly delegations: Delegations;
  readonly sessions: Pick<Sessions, "read">;
}

export function delegationsService({ delegations, sessions }: DelegationsServiceParts): DelegationsService {
  const running = async (session: string) => {
    const found = delegations.running({ class: OPERATOR_CLASS, context: session });
    // Raises where there is no such session.
    if (found.length === 0) await sessions.read(session);
    return found;
  };
  return {
    async list(session) {
      return (await running(session)).map(({ id, label, role, task, parent, state }) => ({
        ...{ id, label, subagent_type: role, task_id: task, parent: parent ?? null, state: a2aStateOf(state) },
      }));
    },
    async cancel(session, id) {
      await running(session);
      const of = { class: OPERATOR_CLASS, context: session };
      const cancelled = await delegations.cancel(of, id);
      return { cancelled, running: delegations.running(of).length };
    },
  };
}
