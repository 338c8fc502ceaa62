/**
 * Calls of servers' tools, as the journal has them. Its rows are the only record: a list holds what happened before a restart,
 * and what an incognito session or retention took out of the store is in none.
 */
import type { Effect } from "@agent-service/plugin-sdk";
import { type Database, namedStatement, type Row } from "../../database/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";
import { McpError } from "../mcp-error.ts";
import type { McpCallOutcome, McpCallPage, McpCallRow, McpCalls, McpRecordedCall } from "../mcp-server-view.ts";

/** A tool as the servers' lists have it. */
interface KnownTool {
  readonly fullName: string;
  readonly effect: Effect;
  readonly pin: { readonly kind: string; readonly name: string };
}

/** The tools of each server that is configured, by its name. */
type KnownTools = ReadonlyMap<string, readonly KnownTool[]>;

/** Bytes of a token, about. */
const BYTES_PER_TOKEN = 4;
/** Characters of a result that are read. */
const RESULT_CHARS = 64 * 1_024;

const ROW = `c.id, c.task, c.context, c.class, c.name, c.outcome, c.started_at, c.ended_at, coalesce(octet_length(c.result), 0),
c.parent, coalesce(t.origin = 'operator' AND json_extract(t.options, '$.purpose') = 'call', 0),
EXISTS (SELECT 1 FROM incognito_turn WHERE incognito_turn.task = c.task)`;
const FROM = "FROM call AS c LEFT JOIN task AS t ON t.id = c.task";
const PAGE = namedStatement(
  `SELECT ${ROW} ${FROM} WHERE instr(c.name, '__') > 1 AND substr(c.name, 1, instr(c.name, '__') - 1) = :key
AND substr(c.name, 1, length(:prefix)) = :prefix AND (:other = '' OR substr(c.name, 1, length(:other)) <> :other)
AND (c.started_at, c.id) < (:at, :id) ORDER BY c.started_at DESC, c.id DESC LIMIT :limit`,
);
const ONE = namedStatement(`SELECT ${ROW}, c.args, substr(c.result, 1, ${RESULT_CHARS}) ${FROM} WHERE c.id = :id`);
const NOTES = namedStatement(
  "SELECT id, name, note FROM call WHERE task = :task AND note IS NOT NULL AND (outcome IS NULL OR outcome IN ('aborted', 'unknown'))",
);
/** Tasks of servers that are canceled after one start. */
const MOST_GIVEN_UP = 256;
const GIVEN_UP = namedStatement(
  `SELECT id, name, note FROM call WHERE note IS NOT NULL AND outcome IN ('aborted', 'unknown') AND json_extract(note, '$.kind') = 'task'
ORDER BY id DESC LIMIT ${MOST_GIVEN_UP}`,
);
const DROP_NOTE = namedStatement("UPDATE call SET note = NULL WHERE id = :id AND outcome IS NOT NULL");

const OUTCOMES: { readonly [stored: string]: McpCallOutcome } = Object.freeze({
  ...{ ok: "ok", error: "error", denied: "denied", aborted: "canceled", unknown: "unknown" },
});

export class RecordedCalls implements McpCalls {
  readonly #db: Database;
  readonly #known: () => KnownTools;

  constructor(db: Database, known: () => KnownTools) {
    this.#db = db;
    this.#known = known;
  }

  /** What calls of a task that have no result kept. */
  async notes(taskId: string): Promise<readonly KeptNote[]> {
    return this.#notesIn(await this.#db.read(NOTES.bind({ task: taskId })));
  }

  /** What calls kept that ended without a result, and whose servers may still work on them. The newest first. */
  async givenUp(): Promise<readonly KeptNote[]> {
    return this.#notesIn(await this.#db.read(GIVEN_UP.bind({})));
  }

  /** Forgets what an ended call kept. */
  async dropNote(callId: string): Promise<void> {
    await this.#db.commit({ label: "mcp.drop_note", statements: [DROP_NOTE.bind({ id: callId })] });
  }

  async page(server: string, { limit, before }: McpCallPage): Promise<readonly McpCallRow[]> {
    const known = this.#known();
    const tools = known.get(server);
    if (tools === undefined) throw new McpError("mcp.unknown_server", "there is no MCP server of this name");
    const bound = PAGE.bind({
      ...{ key: server.replace(/_+$/, ""), prefix: `${server}__`, limit },
      // `a__` begins the names of `a_` too.
      other: known.has(`${server}_`) ? `${server}___` : "",
      ...{ at: before?.at ?? Number.MAX_SAFE_INTEGER, id: before?.callId ?? "" },
    });
    return (await this.#db.read(bound)).map((row) => rowOf(row, ownName(String(row[4]), server, tools)));
  }

  async read(callId: string): Promise<McpRecordedCall | undefined> {
    const [row] = await this.#db.read(ONE.bind({ id: callId }));
    if (row === undefined) return undefined;
    const fullName = String(row[4]);
    const known = this.#known();
    const server = serverOf(fullName, known);
    if (server === undefined) return undefined;
    const tools = known.get(server) ?? [];
    const [args, result] = row.slice(12);
    return {
      ...rowOf(row, ownName(fullName, server, tools)),
      ...{ server, fullName, args: String(args), result: result === null ? undefined : String(result) },
      effect: tools.find((one) => one.fullName === fullName)?.effect,
    };
  }

  #notesIn(rows: readonly Row[]): readonly KeptNote[] {
    return rows.flatMap(([id, name, note]) => {
      const server = serverOf(String(name), this.#known());
      return server === undefined ? [] : [{ callId: String(id), server, note: JSON.parse(String(note)) as unknown }];
    });
  }
}

/** What a call kept, and its server. */
export interface KeptNote {
  readonly callId: string;
  readonly server: string;
  readonly note: unknown;
}

/** The server that has such a tool, else the one that it is named after. */
function serverOf(fullName: string, known: KnownTools): string | undefined {
  for (const [server, tools] of known) if (tools.some((one) => one.fullName === fullName)) return server;
  return [...known.keys()].filter((name) => fullName.startsWith(`${name}__`)).sort((a, b) => b.length - a.length)[0];
}

/** A tool's own name; of one that is gone, what its full name says of it. */
function ownName(fullName: string, server: string, tools: readonly KnownTool[]): string {
  const { pin } = tools.find((one) => one.fullName === fullName) ?? {};
  return pin?.name ?? fullName.slice(`${server}__`.length);
}

function rowOf(row: Row, tool: string): McpCallRow {
  const [callId, taskId, sessionId, caller, , outcome, at, endedAt, bytes, parent, direct, incognito] = row;
  return {
    ...{ callId: String(callId), taskId: String(taskId), sessionId: String(sessionId), tool },
    outcome: OUTCOMES[String(outcome)] ?? "open",
    ms: endedAt === null ? undefined : Math.max(0, Number(endedAt) - Number(at)),
    ...{ bytes: Number(bytes), approxTokens: Math.ceil(Number(bytes) / BYTES_PER_TOKEN), at: Number(at) },
    caller: caller === OPERATOR_CLASS ? "operator" : "peer",
    ...{ isDirect: direct === 1, isIncognito: incognito === 1 },
    ...(parent !== null && { parentCall: String(parent) }),
  };
}
