import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../database/index.ts";
import { canonicalJson } from "../../json/index.ts";
import { McpError } from "../mcp-error.ts";
import type { ServerTarget } from "../server-target.ts";
import { type Definition, definitionDigest } from "./definition.ts";
import { DefinitionStore, type StoredServer } from "./definition-store.ts";
import { type DefinitionDecision, decideDefinitions, observeDefinitions, type ShownDefinitions } from "./observe.ts";
import { isWaiting, type PinnedDefinition } from "./pinned-definition.ts";
import { resourcePins } from "./resource-tools.ts";

const NOTHING: StoredServer = {
  row: { configDigest: undefined, era: undefined, probedAt: undefined, resources: false },
  pins: [],
};

const PROBLEMS = {
  "mcp.unknown_definition": "the server never showed a tool or prompt of this name; list its tools and try again",
  "mcp.digest_changed": "the definition is no longer the one that was looked at; look at it again",
  "mcp.contradiction": "one name is both approved and rejected; leave one of them out",
} as const;

/** Names what decides which program or service a server is: what changes it in the file is not approved again by itself. */
export function targetDigest(target: ServerTarget): string {
  const { transport } = target;
  const what =
    transport === "stdio" ? { transport, command: target.command, args: target.args } : { transport, url: target.url };
  return createHash("sha256").update(canonicalJson(what)).digest("hex");
}

/** What a server showed, as its connection reports it. */
export type Observation = Omit<ShownDefinitions, "isFirst" | "isOtherTarget" | "digests"> & {
  /** See `targetDigest`. */
  readonly target: string;
  /** The server has resources. Default: as it was. */
  readonly hasResources?: boolean;
};

/** What came of it. */
export interface ObservationResult {
  /** Something of the pins changed. */
  readonly changed: boolean;
  /** Names that began to wait for the operator with this. */
  readonly held: readonly string[];
}

/**
 * The pinned definitions of all servers (M8, MC1), in memory and in the store. What is returned is what is durable. One
 * change at a time.
 */
export class DefinitionPins {
  readonly #store: DefinitionStore;
  readonly #servers: Map<string, StoredServer>;
  /** What `of` returned last, with what it was made of. */
  readonly #lists = new Map<string, { readonly from: StoredServer; readonly list: readonly PinnedDefinition[] }>();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(store: DefinitionStore, servers: ReadonlyMap<string, StoredServer>) {
    this.#store = store;
    this.#servers = new Map(servers);
  }

  /** Reads what is stored. @throws DatabaseError */
  static async open(db: Database): Promise<DefinitionPins> {
    const store = new DefinitionStore(db);
    return new DefinitionPins(store, await store.load());
  }

  /**
   * The pins of a server by kind and name, those of its tools for resources behind them; the same list while none of them
   * changed.
   */
  of(server: string): readonly PinnedDefinition[] {
    const from = this.#known(server);
    if (!from.row.resources) return from.pins;
    const made = this.#lists.get(server);
    if (made?.from.pins === from.pins) return made.list;
    const list = [...from.pins, ...resourcePins(from.pins)];
    this.#lists.set(server, { from, list });
    return list;
  }

  /** The revision of the protocol that a server was found to speak. */
  era(server: string): { readonly era: string; readonly probedAt: number } | undefined {
    const { era, probedAt } = this.#known(server).row;
    return era === undefined || probedAt === undefined ? undefined : { era, probedAt };
  }

  /** Notes the revision of the protocol that a server speaks. @throws DatabaseError */
  noteEra(server: string, era: string, at: number): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.#known(server);
      if (before.row.era !== era) await this.#save(server, { ...before, row: { ...before.row, era, probedAt: at } });
    });
  }

  /** Takes in what a server shows. An empty list of one that never showed anything decides nothing. @throws DatabaseError */
  observe(server: string, { target, hasResources, ...shown }: Observation): Promise<ObservationResult> {
    return this.#inTurn(async () => {
      const before = this.#known(server);
      const { configDigest, resources } = before.row;
      const isFirst = configDigest === undefined;
      const isOther = resources !== (hasResources ?? resources);
      const noted = isOther ? { ...before.row, resources: !resources } : before.row;
      if (isFirst && shown.definitions.length === 0) {
        if (isOther) await this.#save(server, { ...before, row: noted });
        return { changed: isOther, held: [] };
      }
      const isOtherTarget = !isFirst && configDigest !== target;
      // Where a change waits, what is approved is compared as well.
      const compared = before.pins.flatMap(({ approved, seen }) => (approved && seen ? [approved] : []));
      const digests = await digestInParts([...shown.definitions, ...compared]);
      const pins = observeDefinitions(before.pins, { ...shown, isFirst, isOtherTarget, digests });
      const isChanged = !isSameList(before.pins, pins);
      const row = configDigest === target ? noted : { ...noted, configDigest: target };
      if (isChanged || row !== before.row) await this.#save(server, { row, pins: isChanged ? pins : before.pins });
      const waited = new Map(
        before.pins.filter(isWaiting).map(({ kind, name, digest }) => [`${kind}\0${name}`, digest]),
      );
      const held = pins.filter((pin) => isWaiting(pin) && waited.get(`${pin.kind}\0${pin.name}`) !== pin.digest);
      return { changed: isChanged || isOther, held: [...new Set(held.map(({ name }) => name))] };
    });
  }

  /**
   * Applies the operator's decision, all of it or nothing; returns whether something changed.
   * @throws McpError `mcp.unknown_definition`, `mcp.digest_changed`, `mcp.contradiction` @throws DatabaseError
   */
  decide(server: string, decision: DefinitionDecision, at: number): Promise<boolean> {
    return this.#inTurn(async () => {
      const before = this.#known(server);
      const pins = decideDefinitions(before.pins, decision, at);
      if (typeof pins === "string") throw new McpError(pins, PROBLEMS[pins]);
      if (isSameList(before.pins, pins)) return false;
      await this.#save(server, { ...before, pins });
      return true;
    });
  }

  /** Forgets a server: what it shows next is approved as of a new one. @throws DatabaseError */
  forget(server: string): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#servers.has(server)) return;
      await this.#store.remove(server);
      this.#servers.delete(server);
    });
  }

  #known(server: string): StoredServer {
    return this.#servers.get(server) ?? NOTHING;
  }

  async #save(server: string, after: StoredServer): Promise<void> {
    await this.#store.save(server, this.#known(server), after);
    this.#servers.set(server, after);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Definitions between two turns of the event loop: a server may show a thousand, 16 MiB of them. */
const DIGESTED_AT_ONCE = 16;

/** The digests that a decision needs; lets the loop turn in between. */
async function digestInParts(definitions: readonly Definition[]): Promise<ReadonlyMap<Definition, string>> {
  const digests = new Map<Definition, string>();
  for (const definition of definitions) {
    if (digests.size > 0 && digests.size % DIGESTED_AT_ONCE === 0) await nextTurn();
    digests.set(definition, definitionDigest(definition));
  }
  return digests;
}

function isSameList(one: readonly PinnedDefinition[], other: readonly PinnedDefinition[]): boolean {
  return one.length === other.length && one.every((pin, index) => pin === other[index]);
}
