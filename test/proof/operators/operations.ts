/** What operators do at once with the same few conversations, goals, watches, jobs and memories. */
import type { MemoryReply } from "../kill-memory/memory-requests.ts";
import type { Random } from "../random.ts";

/** What the service answered. */
export type Answer = MemoryReply;

/** How an operator asks. */
export interface Operator {
  readonly random: Random;
  ask(method: string, path: string, body?: object): Promise<Answer>;
  /** A word that nothing else has, said in a turn of which nothing may stay. */
  hush(): string;
}

type Operation = (operator: Operator) => Promise<unknown>;

const SESSIONS = ["one", "two", "three", "four", "five", "six"];
const WATCHES = ["w1", "w2"];
const JOBS = ["j1", "j2"];
const BOARD = { check: "core:board", check_args: { issue_id: "task-1" } };
const session = ({ random }: Operator): string => random.pick(SESSIONS);
const call = (tool: string, args: object): string => `/call ${tool} ${JSON.stringify(args)}`;

/** What a person says: an answer at once or later, a call of a tool, a command. */
function said({ random }: Operator): string {
  return random.pick([
    ...["hello there", "/wait 30\n/say done", "/wait 300\n/say late"],
    call("memory_ingest", {
      content: `fact ${random.int(0, 40)} of the river`,
      subject: random.pick(["", "s1", "s2"]),
    }),
    `${call("memory_recall", { query: "river fact" })}\n/then\n/say ok`,
    call("set_goal", { condition: "the board is done", ...BOARD }),
    call("schedule_task", { prompt: "say hi", when: "* * * * *", job_id: random.pick(JOBS) }),
    call("create_watch", {
      condition: "x",
      ...BOARD,
      run_prompt: "look",
      watch_id: random.pick(WATCHES),
      repeat: true,
    }),
    call("clear_watch", { watch_id: random.pick(WATCHES) }),
    call("cancel_schedule", { job_id: random.pick(JOBS) }),
    call("task", { subagent_type: "researcher", description: "d", prompt: "/wait 100\n/say sub" }),
    call("task", {
      subagent_type: "researcher",
      description: "d",
      prompt: "/wait 100\n/say sub",
      run_in_background: true,
    }),
    call("ask_human", { question: "Which one?" }),
    call("save_skill", { name: random.pick(["first", "second"]), description: "Use it.", body: "b" }),
    call("abandon_goal", { reason: "no" }),
    ...["/goal clear", "/goal the thing holds", "/compact", "/status", "/title x", "/stop"],
  ]);
}

/** One of a list that the service answers. */
async function oneOf<Row>(
  operator: Operator,
  path: string,
  rows: (body: Answer["body"]) => readonly Row[] | undefined,
) {
  const { body } = await operator.ask("GET", path);
  const found = rows(body) ?? [];
  return found.length === 0 ? undefined : operator.random.pick(found);
}

const turnOf = (operator: Operator, id: string) =>
  oneOf<{ readonly task_id: string }>(operator, `/api/chat/sessions/${id}/turns`, ({ turns }) => turns);

async function decide(operator: Operator): Promise<unknown> {
  const one = await oneOf<{ id: string; kind: string }>(operator, "/api/approvals", ({ approvals }) => approvals);
  if (one === undefined) return undefined;
  const decision = one.kind === "approval" ? operator.random.pick(["approve", "decline"]) : "answer";
  return operator.ask("POST", `/api/approvals/${one.id}`, {
    decision,
    ...(decision === "answer" && { answer: "this" }),
  });
}

async function changeMemory(operator: Operator): Promise<unknown> {
  const { random, ask } = operator;
  const one = await oneOf<{ id: number }>(operator, "/api/knowledge/search?q=river", ({ results }) => results);
  if (one === undefined) return undefined;
  const path = `/api/knowledge/chunks/${one.id}`;
  return random.pick([
    () => ask("DELETE", path),
    () => ask("PUT", path, { content: "changed river" }),
    () => ask("POST", "/api/memory/forget", { chunk_ids: [one.id] }),
  ])();
}

const CONVERSATIONS: readonly (readonly [number, Operation])[] = [
  [20, (o) => o.ask("POST", "/api/chat", { session_id: session(o), message: said(o) })],
  [4, (o) => o.ask("POST", "/api/chat", { session_id: session(o), message: `say ${o.hush()}`, incognito: true })],
  [1, (o) => o.ask("DELETE", `/api/chat/sessions/${session(o)}?retire=true`)],
  [1, (o) => o.ask("DELETE", `/api/chat/sessions/${session(o)}?retire=false`)],
  [1, (o) => o.ask("DELETE", `/api/chat/sessions/${session(o)}?forget=true`)],
  [2, (o) => o.ask("POST", `/api/chat/sessions/${session(o)}/fork`, {})],
  [1, (o) => o.ask("POST", `/api/chat/sessions/${session(o)}/regenerate`, {})],
  [1, (o) => o.ask("POST", `/api/chat/sessions/${session(o)}/compact`, {})],
  [2, (o) => o.ask("POST", `/api/chat/sessions/${session(o)}/steer`, { text: "also this" })],
  [
    2,
    async (o) => {
      const id = session(o);
      const turn = await turnOf(o, id);
      const keep = o.random.chance(0.5);
      return turn && o.ask("POST", `/api/chat/sessions/${id}/rewind`, { task_id: turn.task_id, keep });
    },
  ],
  [
    2,
    async (o) => {
      const id = session(o);
      const turn = await turnOf(o, id);
      return turn && o.ask("POST", `/api/chat/sessions/${id}/versions`, { task_id: turn.task_id, text: said(o) });
    },
  ],
  [
    1,
    async (o) => {
      const one = await oneOf<{ session_id: string }>(o, "/api/chat/sessions?limit=50", ({ sessions }) => sessions);
      return one && o.ask("DELETE", `/api/chat/sessions/${encodeURIComponent(one.session_id)}`);
    },
  ],
];

const AUTONOMY: readonly (readonly [number, Operation])[] = [
  [
    3,
    (o) =>
      o.ask("POST", "/api/goals", {
        ...{ session_id: session(o), condition: "the board is done", max_iterations: 3 },
        verifier: o.random.pick([{ type: "plugin", check: "core:board", args: BOARD.check_args }, { type: "llm" }]),
      }),
  ],
  [2, (o) => o.ask("DELETE", `/api/goals/${session(o)}`)],
  [1, (o) => o.ask("POST", `/api/goals/${session(o)}/rearm`, { max_iterations: 2 })],
  [1, (o) => o.ask("POST", `/api/goals/${session(o)}/resume`)],
  [
    2,
    (o) => {
      const about = {
        condition: "x",
        run_prompt: "look",
        interval_s: 5,
        repeat: true,
        session_id: session(o),
        ...BOARD,
      };
      return o.ask("POST", "/api/watches", { ...about, watch_id: o.random.pick(WATCHES) });
    },
  ],
  [2, (o) => o.ask("POST", `/api/watches/${o.random.pick(WATCHES)}/check`, {})],
  [1, (o) => o.ask("PATCH", `/api/watches/${o.random.pick(WATCHES)}`, { interval_s: o.random.pick([5, 60]) })],
  [1, (o) => o.ask("DELETE", `/api/watches/${o.random.pick(WATCHES)}`)],
  [
    2,
    (o) =>
      o.ask("POST", "/api/scheduler/jobs", { job_id: o.random.pick(JOBS), prompt: said(o), schedule: "* * * * *" }),
  ],
  [2, (o) => o.ask("POST", `/api/scheduler/jobs/${o.random.pick(JOBS)}/run`, {})],
  [1, (o) => o.ask("PUT", `/api/scheduler/jobs/${o.random.pick(JOBS)}`, { enabled: o.random.chance(0.5) })],
  [1, (o) => o.ask("DELETE", `/api/scheduler/jobs/${o.random.pick(JOBS)}`)],
  [2, decide],
  [1, (o) => o.ask("POST", "/api/tasks/issues", { title: "an issue" })],
  [1, (o) => o.ask("PATCH", "/api/tasks/issues/task-1", { status: o.random.pick(["open", "closed", "in_progress"]) })],
  [1, (o) => o.ask("POST", "/api/inbox", { text: "news", priority: o.random.pick(["now", "next", "later"]) })],
  [1, (o) => o.ask("POST", "/api/background/clear", {})],
];

const MEMORY: readonly (readonly [number, Operation])[] = [
  [2, changeMemory],
  [1, (o) => o.ask("POST", `/api/memory/sessions/${session(o)}/harvest`)],
  [1, (o) => o.ask("POST", "/api/memory/forget", { session_id: session(o) })],
  [
    1,
    (o) =>
      o.ask("POST", "/api/knowledge/ingest?wait=false", { text: `doc ${o.random.int(0, 9)} of the river. `.repeat(9) }),
  ],
  [1, (o) => o.ask("POST", "/api/knowledge/attach", { session_id: session(o), text: "Attached of the river." })],
  [
    1,
    (o) => {
      const on = o.random.chance(0.8);
      const key = o.random.pick(["goal.enabled", "watches.enabled", "middleware.memory", "middleware.scheduler"]);
      return o.ask("POST", "/api/settings", { updates: { [key]: on } });
    },
  ],
];

const message = (o: Operator) => ({
  ...{ kind: "message", role: "user", messageId: crypto.randomUUID(), contextId: session(o) },
  parts: [{ kind: "text", text: said(o) }],
});

const OTHERS: readonly (readonly [number, Operation])[] = [
  [1, (o) => o.ask("POST", "/a2a", { jsonrpc: "2.0", id: 1, method: "message/send", params: { message: message(o) } })],
  [
    2,
    async (o) => {
      const open = ["submitted", "working", "input-required"];
      const one = await oneOf<{ id: string }>(o, "/api/a2a/tasks?limit=50", ({ tasks }) =>
        (tasks as { id: string; state: string }[] | undefined)?.filter(({ state }) => open.includes(state)),
      );
      return one && o.ask("POST", "/a2a", { jsonrpc: "2.0", id: 1, method: "tasks/cancel", params: { id: one.id } });
    },
  ],
  [1, (o) => o.ask("POST", "/api/subagents/run", { prompt: "/wait 50\n/say sub", session_id: session(o) })],
  [1, (o) => o.ask("POST", `/api/tasks/issues/task-${o.random.int(1, 3)}/run`)],
  [
    1,
    async (o) => {
      const one = await oneOf<{ id: string }>(o, "/api/background", ({ jobs }) => jobs);
      return one && o.ask("POST", `/api/background/${one.id}/cancel`);
    },
  ],
  [
    1,
    (o) => {
      const body = { description: "Use it.", body: `b ${o.random.int(0, 9)}` };
      return o.ask("PUT", `/api/playbooks/${o.random.pick(["first", "second"])}`, body);
    },
  ],
  [1, (o) => o.ask("DELETE", `/api/playbooks/${o.random.pick(["first", "second"])}`)],
  [1, (o) => o.ask("POST", `/api/playbooks/${o.random.pick(["first", "second"])}/restore`, { version: 1 })],
  [
    1,
    async (o) => {
      const one = await oneOf<{ id: number }>(o, "/api/knowledge/sources", ({ sources }) => sources);
      const path = o.random.pick(["delete-by-source", "restore-by-source"]);
      return one && o.ask("POST", `/api/knowledge/${path}`, { source_id: one.id });
    },
  ],
  [
    1,
    (o) =>
      o.ask(
        "GET",
        o.random.pick([
          ...["/api/activity", "/api/memory/injections", "/api/telemetry/summary", "/api/runtime/status"],
          ...["/api/memory/sessions", "/api/chat/sessions?search=river", "/api/scheduler/calendar", "/api/tools"],
        ]),
      ),
  ],
  [1, (o) => o.ask("GET", `/api/goals/${session(o)}/timeline`)],
];

/** Each as often as it is to come. */
export const OPERATIONS: readonly Operation[] = [...CONVERSATIONS, ...AUTONOMY, ...MEMORY, ...OTHERS].flatMap(
  ([times, operation]) => Array.from({ length: times }, () => operation),
);
