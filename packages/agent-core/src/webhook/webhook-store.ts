import type { Database, Row, Statement } from "../database/index.ts";
import type { CommittedEvent, TaskEvent } from "../event/index.ts";
import type { Statements } from "../journal/index.ts";
import { type PushConfig, pushConfigOfRow, type StoredPushConfig } from "./push-config.ts";

/** Configs one class may have at one task. */
export const MAX_CONFIGS = 16;
/** Configs read at a time. */
const PAGE = 500;

/** The rows of webhooks, and the events they are notified of. */
export class WebhookStore {
  readonly #db: Database;
  readonly #statements: Statements;

  constructor(db: Database, statements: Statements) {
    this.#db = db;
    this.#statements = statements;
  }

  /**
   * Adds or replaces a config. As an expectation it fails where the task is unknown or has enough of them; as a
   * statement it then does nothing.
   */
  keep({ config, registered }: StoredPushConfig): Statement {
    return this.#statements.keepPushConfig.bind({
      task: config.task,
      class: config.class,
      id: config.id,
      context: config.context,
      version: config.version,
      url: config.url,
      token: config.token ?? null,
      scheme: config.authentication?.scheme ?? null,
      credentials: config.authentication?.credentials ?? null,
      at: registered,
      most: MAX_CONFIGS,
    });
  }

  /** @throws DatabaseError `expectation_failed`: see `keep` */
  async add(stored: StoredPushConfig): Promise<void> {
    await this.#db.commit({ label: "webhook.set", expect: this.keep(stored), statements: [] });
  }

  /** Configs of a task, of every class, oldest first; not those whose task ended before `before` (epoch milliseconds). */
  async ofTask(task: string, before: number): Promise<StoredPushConfig[]> {
    return (await this.#db.read(this.#statements.selectPushConfigs.bind({ task, before }))).map(pushConfigOfRow);
  }

  /** Every config whose task's end was not sent, in pages. */
  async *open(): AsyncGenerator<StoredPushConfig[]> {
    let after = { task: "", class: "", id: "" };
    for (;;) {
      const rows = await this.#db.read(this.#statements.selectOpenPushConfigs.bind({ ...after, limit: PAGE }));
      const page = rows.map(pushConfigOfRow);
      const last = page.at(-1)?.config;
      if (last === undefined) return;
      yield page;
      after = { task: last.task, class: last.class, id: last.id };
    }
  }

  /** Stores the progress of a config; no effect on one that was removed or replaced. */
  async advance({ config, registered, progress }: StoredPushConfig): Promise<void> {
    const { task, class: callerClass, id } = config;
    const statement = this.#statements.advancePushConfig.bind({
      task,
      class: callerClass,
      id,
      registered,
      ...progress,
    });
    await this.#db.commit({ label: "webhook.told", statements: [statement] });
  }

  /** Removes a config if it is there. */
  async remove({ task, class: callerClass, id }: Pick<PushConfig, "task" | "class" | "id">): Promise<void> {
    const statement = this.#statements.deletePushConfig.bind({ task, class: callerClass, id });
    await this.#db.commit({ label: "webhook.removed", statements: [statement] });
  }

  /** Removes configs whose task's end was sent before `before` (epoch milliseconds). */
  async removeSettled(before: number): Promise<void> {
    const statement = this.#statements.deleteSettledPushConfigs.bind({ before });
    await this.#db.commit({ label: "webhook.retention", statements: [statement] });
  }

  /** Numbers of the newest event above `after` to notify of, and of the newest urgent one; 0: there is none. */
  async newest(task: string, after: number): Promise<{ readonly notified: number; readonly urgent: number }> {
    const [notified] = await this.#db.read(this.#statements.selectNewestNotified.bind({ task, after }));
    if (notified === undefined) return { notified: 0, urgent: 0 };
    const [urgent] = await this.#db.read(this.#statements.selectNewestUrgent.bind({ task, after }));
    return { notified: Number(notified[0]), urgent: urgent === undefined ? 0 : Number(urgent[0]) };
  }

  /** An event by its number; undefined where retention took it. */
  async event(task: string, seq: number): Promise<CommittedEvent | undefined> {
    const [row] = await this.#db.read(this.#statements.selectEvent.bind({ task, seq }));
    return row === undefined ? undefined : eventOfRow(row);
  }

  /** What a task made, in order. */
  async artifacts(task: string): Promise<CommittedEvent[]> {
    return (await this.#db.read(this.#statements.selectArtifactEvents.bind({ task }))).map(eventOfRow);
  }
}

function eventOfRow([seq, at, body]: Row): CommittedEvent {
  return { seq: Number(seq), at: Number(at), event: JSON.parse(String(body)) as TaskEvent };
}
