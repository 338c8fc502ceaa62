/**
 * Who decides for the operator on an instance without a credential (F15). There everyone who reaches the port is the
 * operator, also another user of the machine, and what the operator approves runs as the service's user. So approvals, grants
 * and what waives or switches them off are taken from connections of that user alone, and of root, who is bound by nothing here.
 */
import type { Socket } from "node:net";
import { type ReadSocketTables, socketOwner } from "./socket-owner.ts";

/** Why this connection may not decide for the operator; undefined: it may. */
export type RefuseDecision = (socket: Socket | undefined) => Promise<string | undefined>;

export interface DecisionGuardOptions {
  /** Whether there is no credential now. */
  readonly open: () => boolean;
  /** The user of this process; undefined where systems have none. */
  readonly user: number | undefined;
  readonly readTables: ReadSocketTables;
}

/** Reads of the tables for one connection: a kernel that changes them meanwhile may leave a row out of one. */
const READS = 3;
const ADVICE = "Set auth.token (A2A_AUTH_TOKEN) and send it, or start the service with SVC_ALLOW_OPEN=1.";

/** A guard that looks at a connection once, and only where something asks. */
export function createDecisionGuard({ open, user, readTables }: DecisionGuardOptions): RefuseDecision {
  const owners = new WeakMap<Socket, number>();

  async function ownerOf(socket: Socket): Promise<number | undefined> {
    const known = owners.get(socket);
    if (known !== undefined) return known;
    for (let read = 0; read < READS && !socket.destroyed; read += 1) {
      const owner = socketOwner(await readTables(), socket);
      if (owner === undefined) continue;
      owners.set(socket, owner);
      return owner;
    }
    return undefined;
  }

  return async (socket) => {
    if (socket === undefined || !open()) return undefined;
    const owner = await ownerOf(socket);
    if (owner !== undefined && (owner === user || owner === 0)) return undefined;
    const whose =
      owner === undefined ? "whose connection this is cannot be found out" : "this connection is another user's";
    return `Without a credential only the user who runs the service decides here, and ${whose}. ${ADVICE}`;
  };
}

/** Never refuses: `SVC_ALLOW_OPEN=1`, or a system whose tables are not read. */
export const anyoneDecides: RefuseDecision = async () => undefined;
