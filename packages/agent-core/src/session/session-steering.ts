import type { Database } from "../database/index.ts";
import type { InputMessage } from "../event/index.ts";
import type { Journal } from "../journal/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { contextKey, digestOf, type PendingSteer, type RequestKey, type TaskService } from "../task/index.ts";
import { UnknownSessionError } from "./session-error.ts";

export interface SessionSteeringOptions {
  readonly db: Database;
  readonly journal: Pick<Journal, "statements">;
  readonly service: TaskService;
  readonly newId: () => string;
}

/** A message to a session while it works. */
export interface SessionMessage {
  readonly text: string;
  /** The name it is withdrawn by. Absent: one that comes of the request's key, else a new one. */
  readonly id?: string | undefined;
}

/** A message that was accepted, now or before. */
export interface AcceptedMessage {
  readonly id: string;
  /** Messages of the session that no model call has read yet. */
  readonly unread: number;
  /** The turn it started; undefined where one was running. */
  readonly task: string | undefined;
}

/**
 * Steering of the operator's sessions (R8).
 *
 * Invariants
 *  SM1 A message's name is its idempotency key within its session: the same text under it is accepted once in 24 hours,
 *      another text is refused. The name of a message without one comes of the request's key, so that a request that is
 *      carried out again after a crash is the same message.
 */
export class SessionSteering {
  readonly #options: SessionSteeringOptions;

  constructor(options: SessionSteeringOptions) {
    this.#options = options;
  }

  /**
   * Accepts a message; durable when it resolves.
   * @throws UnknownSessionError, TaskError overloaded, draining, unsupported_content, key_conflict, context_busy
   */
  async add(
    session: string,
    { text, id: given }: SessionMessage,
    request?: Pick<RequestKey, "key">,
  ): Promise<AcceptedMessage> {
    const of = await this.#known(session);
    const { service, newId } = this.#options;
    const name = given ?? (request === undefined ? undefined : `steer-${request.key}`);
    const id = name ?? newId();
    const digest = digestOf(text);
    // A new name cannot come again.
    const key =
      name === undefined ? {} : { key: { class: OPERATOR_CLASS, key: `steer ${session} ${name}`, digest, task: name } };
    const input: InputMessage = { messageId: id, parts: [{ kind: "text", text }] };
    const started = await service.steer({ ...of, origin: "chat", input, ...key });
    return { id, unread: service.unreadCount(of), task: started?.id };
  }

  /** Messages that no model call has read yet, oldest first. @throws UnknownSessionError */
  async list(session: string): Promise<readonly PendingSteer[]> {
    return this.#options.service.unread(await this.#known(session));
  }

  /**
   * Withdraws an unread message; durable when it resolves. `removed` false: it was read already, or there never was one.
   * @throws UnknownSessionError, DatabaseError
   */
  async withdraw(session: string, id: string): Promise<{ readonly removed: boolean; readonly unread: number }> {
    const of = await this.#known(session);
    const { service } = this.#options;
    const removed = await service.withdraw(of, id);
    return { removed, unread: service.unreadCount(of) };
  }

  /** A session exists once it has a message. The list of sessions lags behind the journal, so it is not used here. */
  async #known(context: string): Promise<{ readonly class: string; readonly context: string }> {
    const of = { class: OPERATOR_CLASS, context };
    const { db, journal, service } = this.#options;
    if (service.runner.queue.held(contextKey(of)) || service.unreadCount(of) > 0) return of;
    if ((await db.read(journal.statements.hasMessages.bind(of))).length === 0) throw new UnknownSessionError(context);
    return of;
  }
}
