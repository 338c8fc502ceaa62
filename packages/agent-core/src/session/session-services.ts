import type { SlashCommand } from "../command/index.ts";
import { isStoreGone } from "../database/index.ts";
import type { Engine } from "../feature/index.ts";
import { IncognitoTurns } from "./incognito-turns.ts";
import { SessionRemoval } from "./removal/session-removal.ts";
import { sessionCommands } from "./session-commands.ts";
import { SessionEdits } from "./session-edits.ts";
import { SessionIndex } from "./session-index.ts";
import { SessionSteering } from "./session-steering.ts";
import { SessionTitles, type SessionTitlesOptions } from "./session-titles.ts";
import { SessionVersions } from "./session-versions.ts";
import { Sessions } from "./sessions.ts";

/** What operators see of their conversations and do with them. */
export class SessionServices {
  /** The list of sessions, their turns and search. */
  readonly catalog: Sessions;
  /** Rewind, fork, regenerate, compact. */
  readonly edits: SessionEdits;
  /** Answers beside others of the same place. */
  readonly versions: SessionVersions;
  /** Messages to a session while it works. */
  readonly steering: SessionSteering;
  readonly removal: SessionRemoval;
  readonly incognito: IncognitoTurns;
  /** The reader that keeps the list. */
  readonly index: SessionIndex;
  /** Titles by a model. */
  readonly titles: SessionTitles;
  readonly #engine: Engine;
  /** What a former process left half removed. */
  #unfinished: readonly (() => Promise<void>)[] = [];

  constructor(engine: Engine, titling: SessionTitlesOptions["settings"]) {
    const { db, journal, service, conversations, clock, bus, newId, feed, redactor, log } = engine;
    this.#engine = engine;
    this.titles = new SessionTitles({
      ...{ db, journal, service, bus, clock, redactor, log, newId },
      settings: titling,
      chooseModel: (value) => engine.chooseModel(value),
      searched: (id) => this.catalog.titleStatements(id),
    });
    this.index = new SessionIndex({ db, bus, titles: this.titles });
    const current = (): Promise<void> => feed.idle(this.index);
    this.removal = new SessionRemoval({
      ...{ db, journal, service, conversations, clock, bus },
      forgetSession: (session, retired) => engine.forgetSession(session, retired),
      forgetTasks: (tasks) => engine.forgetTasks(tasks),
      written: () => feed.idle(),
      listed: () => feed.whole(),
      versionsSettled: () => this.versions.settled(),
      eraseRemains: () => engine.eraseRemains(),
    });
    this.catalog = new Sessions({ db, bus, clock, queue: service.runner.queue, current, redactor });
    const edits = { db, journal, service, clock, bus, newId, current };
    this.edits = new SessionEdits(edits);
    this.versions = new SessionVersions({ ...edits, onAdded: () => this.index.versionAdded() });
    this.steering = new SessionSteering({ db, journal, service, newId });
    this.incognito = new IncognitoTurns({ db, service, clock, removal: this.removal });
  }

  /** `/status`, `/title`, `/stop`, `/compact`. */
  commands(): readonly SlashCommand[] {
    return sessionCommands({ service: this.#engine.service, sessions: this.catalog });
  }

  /** Ends the tasks of what a former process left half removed, before any continues. */
  async recover(): Promise<void> {
    this.#unfinished = [(await this.removal.resume()).finish, await this.incognito.resume()];
  }

  /** Removes the rest of it, once the readers have read what they had not written. Never rejects. */
  async finishRemovals(): Promise<void> {
    await this.#engine.feed.caughtUp;
    for (const finish of this.#unfinished) {
      await finish().catch((error: unknown) => this.#warn(error));
    }
  }

  /** Tries again what could not be removed. */
  retryRemovals(): void {
    this.removal.retry().catch((error: unknown) => this.#warn(error));
  }

  #warn(error: unknown): void {
    if (!isStoreGone(error)) this.#engine.log.warn(`a session could not be removed yet: ${String(error)}`);
  }

  /** Removes all incognito turns: the engine stops. Never rejects. */
  stop(): Promise<void> {
    return this.incognito.stop(this.#engine.log);
  }
}
