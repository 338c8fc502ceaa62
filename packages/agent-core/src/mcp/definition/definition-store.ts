import { type Database, namedStatement, type Row } from "../../database/index.ts";
import type { Definition, DefinitionKind } from "./definition.ts";
import { byName } from "./observe.ts";
import type { DefinitionState, PinnedDefinition } from "./pinned-definition.ts";

/** What is known of a server beside its definitions. */
export interface ServerRow {
  /** Of the program or address whose definitions were approved first; undefined: none were seen. */
  readonly configDigest: string | undefined;
  /** The revision of the protocol it speaks, as its connection found. */
  readonly era: string | undefined;
  /** Epoch milliseconds of when that was found. */
  readonly probedAt: number | undefined;
  /** It was found to have resources. */
  readonly resources: boolean;
}

/** What is known of a server. */
export interface StoredServer {
  readonly row: ServerRow;
  readonly pins: readonly PinnedDefinition[];
}

const SQL = {
  servers: namedStatement("SELECT name, config_digest, era, probed_at, resources FROM mcp_server"),
  definitions: namedStatement(
    `SELECT server, kind, name, digest, approved, seen, state, seen_at, decided_at FROM mcp_definition`,
  ),
  putServer: namedStatement(
    `INSERT INTO mcp_server (name, config_digest, era, probed_at, resources)
VALUES (:name, :configDigest, :era, :probedAt, :resources)
ON CONFLICT (name) DO UPDATE SET config_digest = :configDigest, era = :era, probed_at = :probedAt, resources = :resources`,
  ),
  putDefinition: namedStatement(
    `INSERT INTO mcp_definition (server, kind, name, digest, approved, seen, state, seen_at, decided_at)
VALUES (:server, :kind, :name, :digest, :approved, :seen, :state, :seenAt, :decidedAt)
ON CONFLICT (server, kind, name) DO UPDATE SET digest = :digest, approved = :approved, seen = :seen, state = :state,
seen_at = :seenAt, decided_at = :decidedAt`,
  ),
  removeDefinition: namedStatement(
    "DELETE FROM mcp_definition WHERE server = :server AND kind = :kind AND name = :name",
  ),
  removeDefinitions: namedStatement("DELETE FROM mcp_definition WHERE server = :server"),
  removeServer: namedStatement("DELETE FROM mcp_server WHERE name = :server"),
};

/** Statements of one commit; a server may bring a thousand definitions at once. */
const STATEMENTS = 200;

/** The tables `mcp_server` and `mcp_definition`. */
export class DefinitionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Everything that is known, by server. @throws DatabaseError */
  async load(): Promise<ReadonlyMap<string, StoredServer>> {
    const [servers, definitions] = await Promise.all([
      this.#db.read(SQL.servers.bind({})),
      this.#db.read(SQL.definitions.bind({})),
    ]);
    const pins = new Map<string, PinnedDefinition[]>();
    for (const row of definitions) {
      const server = String(row[0]);
      const list = pins.get(server) ?? [];
      list.push(pinOf(row));
      pins.set(server, list);
    }
    const found = new Map<string, StoredServer>();
    for (const [name, configDigest, era, probedAt, resources] of servers) {
      const row: ServerRow = {
        configDigest: configDigest === null ? undefined : String(configDigest),
        era: era === null ? undefined : String(era),
        probedAt: probedAt === null ? undefined : Number(probedAt),
        resources: resources !== null,
      };
      found.set(String(name), { row, pins: (pins.get(String(name)) ?? []).sort(byName) });
    }
    return found;
  }

  /**
   * Writes what changed of a server. The row comes last: a crash in between leaves some of the first definitions
   * approved, and the next listing is still the first. @throws DatabaseError
   */
  async save(server: string, before: StoredServer, after: StoredServer): Promise<void> {
    const known = new Set(before.pins);
    const kept = new Set(after.pins.map(({ kind, name }) => `${kind}\0${name}`));
    const statements = [
      ...before.pins
        .filter(({ kind, name }) => !kept.has(`${kind}\0${name}`))
        .map(({ kind, name }) => SQL.removeDefinition.bind({ server, kind, name })),
      ...after.pins.filter((pin) => !known.has(pin)).map((pin) => SQL.putDefinition.bind(valuesOf(server, pin))),
      ...(before.row === after.row ? [] : [SQL.putServer.bind(rowValues(server, after.row))]),
    ];
    for (let from = 0; from < statements.length; from += STATEMENTS)
      await this.#db.commit({ label: "mcp.definitions", statements: statements.slice(from, from + STATEMENTS) });
  }

  /** Removes a server with its definitions. @throws DatabaseError */
  remove(server: string): Promise<void> {
    const statements = [SQL.removeDefinitions.bind({ server }), SQL.removeServer.bind({ server })];
    return this.#db.commit({ label: "mcp.forget", statements });
  }
}

function rowValues(name: string, { configDigest, era, probedAt, resources }: ServerRow) {
  const values = { name, configDigest: configDigest ?? null, era: era ?? null, probedAt: probedAt ?? null };
  return { ...values, resources: resources ? 1 : null };
}

function valuesOf(server: string, pin: PinnedDefinition) {
  const { kind, name, digest, approved, seen, state, seenAt, decidedAt } = pin;
  return {
    ...{ server, kind, name, digest, state, seenAt, decidedAt: decidedAt ?? null },
    approved: approved === undefined ? null : JSON.stringify(approved),
    seen: seen === undefined ? null : JSON.stringify(seen),
  };
}

function pinOf([, kind, name, digest, approved, seen, state, seenAt, decidedAt]: Row): PinnedDefinition {
  return {
    ...{ kind: String(kind) as DefinitionKind, name: String(name), digest: String(digest) },
    approved: approved === null ? undefined : (JSON.parse(String(approved)) as Definition),
    seen: seen === null ? undefined : (JSON.parse(String(seen)) as Definition),
    ...{ state: String(state) as DefinitionState, seenAt: Number(seenAt) },
    decidedAt: decidedAt === null ? undefined : Number(decidedAt),
  };
}
