/** The task board, in a store of its own (document 3 "Tasks", `TASKS_DB_PATH`; rulings R11, R12). */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import {
  type Clock,
  type Database,
  DatabaseError,
  type EventBus,
  type Failpoints,
  IssueBoard,
  openDatabase,
  type StoreThreads,
} from "@agent-service/agent-core";
import type { BoardService } from "@agent-service/operator-api";
import { packageVersion } from "./cli/index.ts";
import { openedOnce } from "./opened-once.ts";
import { boardService } from "./operator/index.ts";
import type { ServerSettings } from "./sections/index.ts";

/** What a board is made of. */
export interface BoardParts {
  readonly clock: Clock;
  /** Of the engine's store: a further file costs a connection there, not a thread. */
  readonly threads: StoreThreads;
  readonly bus: () => EventBus | undefined;
  /** Tests only. */
  readonly failpoints?: Failpoints | undefined;
  /** Takes secrets out of a text (ruling S5). */
  readonly redact: (text: string) => string;
}

/** A board and what is over it. */
export interface ComposedBoard {
  readonly board: IssueBoard;
  /** For the operator API. */
  readonly service: BoardService;
  close(): Promise<void>;
}

/** Composes it. The store is opened when first it is used; one that cannot be opened leaves the service without a board. */
export function composeBoard(
  settings: ServerSettings,
  { clock, threads, bus, redact, failpoints }: BoardParts,
): ComposedBoard {
  const path = settings.tasksDbPath;
  const name = `${settings.identity.name} (agent-service ${packageVersion()})`;
  const common = { owner: { name }, schema: "board", threads, failpoints } as const;
  const isServer = /^(libsql|https?):\/\//.test(path);
  const open = async (): Promise<Database> => {
    if (isServer) return openDatabase({ ...common, url: path });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
      throw new DatabaseError("unwritable", `${path}: its folder cannot be made (${cause.code})`, { cause });
    });
    return openDatabase({ ...common, url: `file:${path}` });
  };
  const store = openedOnce(open, clock);
  const board = new IssueBoard({ db: store.get, clock, bus });
  return {
    board,
    service: boardService(board, { redact, exists: () => isServer || existsSync(path) }),
    close: () => store.close(),
  };
}
