/**
 * Read-only copies of conversations and runs behind links (O9).
 *
 * Invariants
 *  1. A link is known to its holder alone: what is stored is its SHA-256.
 *  2. A copy is frozen, holds no secret, and holds what was ticked only.
 *  3. A copy goes with its session and its tasks, and nothing incognito is ever copied.
 */
import { createHash, randomBytes } from "node:crypto";
import type { EventLog } from "../bus/index.ts";
import type { Clock } from "../clock/index.ts";
import { type Database, storableText } from "../database/index.ts";
import type { Redactor } from "../redaction/index.ts";
import {
  forPeople,
  openingOf,
  readTaskTurn,
  readTurns,
  type Sessions,
  type SessionTurn,
  UnknownSessionError,
} from "../session/index.ts";
import { OPERATOR_CLASS } from "../share/index.ts";
import { CountingRedactor, type SharedBlock, type SharedCopy, type ShareInclude, sharedTurn } from "./shared-copy.ts";
import { SharesError } from "./shares-error.ts";
import { type Share, type SharedPage, SharesStore } from "./shares-store.ts";

/** What is to be shared: a whole session, or one task of any class. */
export interface ShareRequest {
  readonly of: { readonly session: string } | { readonly task: string };
  readonly include: ShareInclude;
}

/** What the shares are over. */
export interface SharesOptions {
  readonly db: Database;
  readonly clock: Pick<Clock, "now">;
  readonly bus: EventLog;
  readonly redactor: Redactor;
  readonly newId: () => string;
  readonly sessions: Pick<Sessions, "read">;
  /** The system text of turns. */
  readonly persona: () => string | undefined;
  /** The setting. */
  readonly enabled: () => boolean;
}

/** A copy and what it was made of. */
interface Drawn {
  readonly copy: SharedCopy;
  readonly class: string;
  readonly session: string;
  readonly task: string | undefined;
  readonly tasks: readonly string[];
}

const MAX_SHARES = 500;
const MAX_TURNS = 500;
/** Characters of a copy, and of the page made of it. */
const MAX_COPY = 1024 * 1024;
const MAX_PAGE = 4 * MAX_COPY;
/** Characters of a persona. */
const MAX_PERSONA = 64 * 1024;
/** Turns read at a time. */
const PAGE = 50;

/** Shares of a store. */
export class Shares {
  readonly #options: SharesOptions;
  readonly #store: SharesStore;

  constructor(options: SharesOptions) {
    this.#options = options;
    this.#store = new SharesStore(options.db);
  }

  /** Whether the settings allow it. */
  get enabled(): boolean {
    return this.#options.enabled();
  }

  /** What a share would hold now. @throws SharesError, UnknownSessionError */
  async preview(request: ShareRequest): Promise<SharedCopy> {
    return (await this.#draw(request)).copy;
  }

  /**
   * Makes a share; durable when it resolves. `link` is the secret part of its address, told once. `key` names the
   * request: the same one makes no second share. `render` makes the page.
   * @throws SharesError, UnknownSessionError
   */
  async create(
    request: ShareRequest & { readonly lifetimeMs: number; readonly key: string | undefined },
    render: (copy: SharedCopy) => Promise<string>,
  ): Promise<{ readonly share: Share; readonly link: string }> {
    const { clock, bus, newId } = this.#options;
    const source = request.key === undefined ? newId() : sha256(request.key);
    if (await this.#store.hasSource(source)) throw repeated();
    const drawn = await this.#draw(request);
    const { copy, session, task, tasks } = drawn;
    const page = storableText(await render(copy));
    if (page.length > MAX_PAGE) throw tooLarge();
    const now = clock.now();
    const link = randomBytes(32).toString("base64url");
    const share: Share = {
      ...{ id: newId(), session, task, title: copy.title, include: request.include },
      ...{ bytes: Buffer.byteLength(page), createdAt: now, expiresAt: now + request.lifetimeMs },
    };
    await this.#store.removeExpired(now);
    const stored = { ...share, class: drawn.class, tasks, link: sha256(link), source, page };
    if (!(await this.#store.add(stored, MAX_SHARES))) throw await this.#reason(drawn, source);
    bus.publish("shares.changed", { id: share.id });
    return { share, link };
  }

  /** Those that have not expired, newest first. */
  list(): Promise<readonly Share[]> {
    return this.#store.list(this.#options.clock.now());
  }

  /** The page behind a link; undefined: there is none, or none any more. */
  page(link: string): Promise<SharedPage | undefined> {
    return this.#store.page(sha256(link), this.#options.clock.now());
  }

  /** Ends a share. False: there is none. */
  async revoke(id: string): Promise<boolean> {
    const removed = await this.#store.remove(id, this.#options.clock.now());
    if (removed) this.#options.bus.publish("shares.changed", { id });
    return removed;
  }

  /** Removes the shares of a session and of its runs. Repeatable. */
  forgetSession(session: string): Promise<void> {
    return this.#store.removeSession(session);
  }

  /** Removes the shares that show one of these tasks. Repeatable. */
  async forgetTasks(tasks: readonly string[]): Promise<void> {
    if (tasks.length > 0) await this.#store.removeTasks(tasks);
  }

  /** Removes what has expired. */
  sweep(now: number): Promise<void> {
    return this.#store.removeExpired(now);
  }

  async #draw(request: ShareRequest): Promise<Drawn> {
    const { redactor: plain } = this.#options;
    const redactor = new CountingRedactor(plain);
    const found = "task" in request.of ? await this.#run(request.of.task) : await this.#session(request.of.session);
    const { class: owner, session, task, turns } = found;
    const tasks = turns.map((turn) => turn.task);
    if (await this.#store.isIncognito({ class: owner, session, tasks })) throw incognito();
    const texts = request.include.toolArguments || request.include.toolResults;
    const blocks: SharedBlock[] = this.#persona(request.include, redactor);
    let length = JSON.stringify(blocks).length;
    for (const turn of turns) {
      const calls = texts && turn.toolCalls.length > 0 ? await this.#store.calls([turn.task]) : new Map();
      const added = sharedTurn(turn, request.include, { calls, redactor });
      length += JSON.stringify(added).length;
      if (length > MAX_COPY) throw tooLarge();
      blocks.push(...added);
    }
    if (blocks.length === 0) throw new SharesError("nothing_to_share", "There is nothing in it to share yet.");
    // Redacted before it is cut: a cut may split a secret.
    const title = openingOf(plain.text(found.title ?? turns[0]?.messages[0]?.text ?? ""));
    const copy = { title, blocks, turns: turns.length, hidden: redactor.hidden };
    return { class: owner, session, task, tasks, copy };
  }

  async #run(task: string) {
    const found = await readTaskTurn(this.#options.db, task);
    if (found === undefined) throw new SharesError("not_found", "There is no such run.");
    const { context: session, turn } = found;
    return { class: found.class, session, task, title: undefined, turns: [forPeople(turn)] };
  }

  async #session(session: string) {
    const { title, titled } = await this.#options.sessions.read(session);
    const turns: SessionTurn[] = [];
    let after: string | undefined;
    let length = 0;
    do {
      const page = await readTurns(this.#options.db, session, { limit: PAGE, after, first: "oldest" });
      for (const turn of page.turns) {
        turns.push(forPeople(turn));
        length += turn.answer.length + turn.messages.reduce((sum, { text }) => sum + text.length, 0);
      }
      if (turns.length > MAX_TURNS || length > MAX_COPY) throw tooLarge();
      after = page.next;
    } while (after !== undefined);
    return { class: OPERATOR_CLASS, session, task: undefined, title: titled ? title : undefined, turns };
  }

  #persona({ persona }: ShareInclude, redactor: CountingRedactor): SharedBlock[] {
    const text = persona ? (this.#options.persona() ?? "") : "";
    return text === "" ? [] : [{ kind: "persona", text: redactor.text(text).slice(0, MAX_PERSONA) }];
  }

  /** Why a share was not added. */
  async #reason(of: Drawn, source: string): Promise<Error> {
    if (await this.#store.hasSource(source)) return repeated();
    if ((await this.#store.count()) >= MAX_SHARES) {
      return new SharesError("full", `There are ${MAX_SHARES} shares: remove one first.`);
    }
    if (await this.#store.isIncognito(of)) return incognito();
    return of.task === undefined
      ? new UnknownSessionError(of.session)
      : new SharesError("not_found", "There is no such run.");
  }
}

const incognito = (): SharesError => new SharesError("incognito", "An incognito conversation is not shared.");

const repeated = (): SharesError =>
  new SharesError("repeated", "This request made its share already; its link was told once and is not kept.");

const tooLarge = (): SharesError =>
  new SharesError(
    "too_large",
    `A share holds at most ${MAX_TURNS} turns and ${MAX_COPY / 1024 / 1024} MiB of text: share single runs of it instead.`,
  );

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
