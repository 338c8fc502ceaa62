/** A store full of sessions, written directly: two million turns over the API would take hours. */
import { type Database, openDatabase } from "@agent-service/agent-core/host";

/** What a store holds. */
export interface SessionStore {
  /** Adds sessions after those there are. */
  add(sessions: number): Promise<void>;
  close(): Promise<void>;
}

/** Turns of each session. */
export const TURNS = 200;
/** Sessions that people hold side by side: their turns lie among each other. */
const SIDE_BY_SIDE = 50;
/** Turns per command. */
const ROWS = 2_000;
const VOCABULARY = Array.from({ length: 20_000 }, (_, i) => `w${((i * 7_919) % 20_011).toString(36)}`);
const STEP_MS = 700;

/** A term of every second message, one of one in a hundred, and one of a single session. */
export const TERMS = { common: "please", seldom: "invoice", only: (session: number) => `ticket${session}` } as const;

interface Turn {
  readonly task: string;
  readonly session: string;
  readonly at: number;
  readonly text: string;
}

const STATEMENTS = [
  `INSERT INTO task (id, class, context, origin, state, seq, created_at, updated_at, options)
   SELECT value ->> 'task', 'operator', value ->> 'session', 'chat', 'completed', 4, value ->> 'at', value ->> 'at', '{}' FROM json_each(?)`,
  `INSERT INTO event (task, seq, at, kind, body)
   SELECT value ->> 'task', 1, value ->> 'at', 'task.accepted', json_object('kind', 'task.accepted', 'context', value ->> 'session', 'class', 'operator', 'origin', 'chat', 'state', 'running', 'input', json_object('messageId', value ->> 'task', 'parts', json_array(json_object('kind', 'text', 'text', value ->> 'text')))) FROM json_each(?)`,
  ...[
    `2, 'model.finished', '{"kind":"model.finished","call":"model-1","step":1,"model":"bench-1","finish":"stop","usage":{"input":900,"output":80,"cacheRead":0,"cacheWrite":0},"ms":1200}'`,
    `3, 'answer', json_object('kind', 'answer', 'parts', json_array(json_object('kind', 'text', 'text', 'You said: ' || (value ->> 'text') || '. ' || (value ->> 'text'))))`,
    `4, 'task.completed', '{"kind":"task.completed","usage":{"input":900,"output":80,"cacheRead":0,"cacheWrite":0},"durationMs":1250}'`,
  ].map((row) => {
    const [seq, kind, ...body] = row.split(", ");
    return `INSERT INTO event (task, seq, at, kind, body) SELECT value ->> 'task', ${seq}, value ->> 'at', ${kind}, ${body.join(", ")} FROM json_each(?)`;
  }),
  `INSERT INTO message (class, context, task, kind, body, at)
   SELECT 'operator', value ->> 'session', value ->> 'task', 'user', json_object('content', json_array(json_object('kind', 'text', 'text', value ->> 'text'))), value ->> 'at' FROM json_each(?)`,
  `INSERT INTO message (class, context, task, kind, body, at)
   SELECT 'operator', value ->> 'session', value ->> 'task', 'assistant', json_object('text', 'You said: ' || (value ->> 'text') || '. ' || (value ->> 'text')), value ->> 'at' FROM json_each(?)`,
  `INSERT INTO session (id, opening, origin, state, created_at, updated_at)
   SELECT value ->> 'session', substr(value ->> 'text', 1, 80), 'chat', 'completed', value ->> 'at', value ->> 'at' FROM json_each(?) WHERE true
   ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at`,
  `INSERT INTO session_turn (session, task, origin, state, created_at, updated_at)
   SELECT session.no, value ->> 'task', 'chat', 'completed', value ->> 'at', value ->> 'at'
   FROM json_each(?) CROSS JOIN session ON session.id = value ->> 'session'`,
  `INSERT INTO session_text (rowid, text) SELECT session_turn.no, value ->> 'text'
   FROM json_each(?) CROSS JOIN session ON session.id = value ->> 'session'
   CROSS JOIN session_turn ON session_turn.session = session.no AND session_turn.task = value ->> 'task'`,
];

/** Text in which frequent words occur often. */
function someWords(random: () => number): string {
  return Array.from({ length: 12 }, () => VOCABULARY[Math.floor(VOCABULARY.length * random() ** 3)]).join(" ");
}

/** The same numbers every time. */
function generator(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Time first, as the engine makes them. */
function taskId(at: number, count: number): string {
  const time = at.toString(16).padStart(12, "0");
  const rest = count.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}`;
}

/** Name of a session. */
export function sessionName(number: number): string {
  return `bench-${number}`;
}

/**
 * Opens a store that holds `from` sessions, or makes one. `sessions`: how many it will come to hold; they end shortly
 * before now. `turnsEach`: turns of each session.
 */
export async function openSessionStore(
  file: string,
  sessions: number,
  from = 0,
  turnsEach: number = TURNS,
): Promise<SessionStore> {
  const db = await openDatabase({ url: `file:${file}`, owner: { name: "bench" }, synchronous: "normal" });
  const random = generator();
  const began = Date.now() - 3_600_000 - sessions * turnsEach * STEP_MS;
  let made = from;
  let count = from * turnsEach;
  return {
    async add(more) {
      for (const end = made + more; made < end; made += SIDE_BY_SIDE) {
        const turns: Turn[] = [];
        for (let turn = 0; turn < turnsEach; turn++) {
          for (let number = made; number < Math.min(made + SIDE_BY_SIDE, end); number++) {
            const at = began + count++ * STEP_MS;
            const special = [
              ...(count % 2 === 0 ? [TERMS.common] : []),
              ...(count % 100 === 0 ? [TERMS.seldom] : []),
              ...(turn === 7 ? [TERMS.only(number)] : []),
            ];
            const text = [someWords(random), ...special].join(" ");
            turns.push({ task: taskId(at, count), session: sessionName(number), at, text });
          }
        }
        await write(db, turns);
      }
      const move =
        "INSERT INTO reader_cursor (reader, at) VALUES ('session', ?) ON CONFLICT (reader) DO UPDATE SET at = excluded.at";
      await db.commit({ label: "bench", statements: [{ sql: move, args: [Date.now()] }] });
    },
    close: () => db.close(),
  };
}

async function write(db: Database, turns: readonly Turn[]): Promise<void> {
  for (let start = 0; start < turns.length; start += ROWS) {
    const rows = JSON.stringify(turns.slice(start, start + ROWS));
    await db.commit({ label: "bench", statements: STATEMENTS.map((sql) => ({ sql, args: [rows] })) });
  }
}
