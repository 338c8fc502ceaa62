/**
 * The prompts of model calls (B60 `prompts`): captured as a call ends, written after the turn. Unlike turn rows they
 * cannot be rebuilt from the journal, which does not hold them: a kill loses those of the last second.
 *
 * Invariants
 *  PS1  Capturing costs the turn no more than looking at lengths; what waits to be written is bounded (EN10).
 *  PS2  Nothing is written that holds a secret (S5), and no text beyond its bound.
 *  PS3  Both caps hold after every write; a text that no call refers to is deleted.
 */
import { createHash } from "node:crypto";
import type { Clock, Timer } from "../clock/index.ts";
import { type Database, type Statement, storableText } from "../database/index.ts";
import type { TaskUsage } from "../event/index.ts";
import type { TextRewriting } from "../feature/index.ts";
import type { ModelMessage, ModelTool, ReasoningEffort } from "../model/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { ObservedCall } from "../turn/index.ts";
import {
  insertMessages,
  MessageChain,
  type MessageRow,
  messagesOf,
  type PromptMessage,
  promptMessage,
  trimMessages,
} from "./prompt-messages.ts";
import { charsOf, type PromptParts, sectionsOf, usageOf } from "./prompt-parts.ts";
import { type PromptCall, type PromptRetention, promptCall } from "./prompt-report.ts";
import {
  before,
  forget,
  forgetTasks,
  insert,
  insertText,
  kept,
  newest,
  newestOf,
  ofTask,
  trimAge,
  trimCount,
  trimTexts,
} from "./prompt-statements.ts";
import { rewriteMessages } from "./rewrite-messages.ts";

export interface PromptSnapshotsOptions {
  /** The store with the schema `observation`. */
  readonly db: () => Promise<Database>;
  readonly clock: Clock;
  readonly redactor: Pick<Redactor, "text">;
  /** Asked for each call. 0 means no bound. */
  readonly settings: () => { readonly capture: boolean; readonly retentionDays: number; readonly maxCalls: number };
  readonly log: { warn(message: string): void };
}

interface Waiting extends PromptParts {
  readonly task: string;
  readonly class: string;
  readonly context: string;
  readonly step: number;
  readonly at: number;
  readonly model: string;
  readonly effort: ReasoningEffort | undefined;
  /** What it was sent, by reference; undefined: it is not kept. */
  readonly messages: readonly ModelMessage[] | undefined;
  readonly usage: TaskUsage | undefined;
}

const FLUSH_MS = 1_000;
const MAX_WAITING = 500;
/** Characters kept of each text. */
const MAX_TEXT = 256 * 1024;
const DAY_MS = 86_400_000;
/** Conversations kept of a second, and characters of them: those of further calls are not kept. */
const MAX_CONVERSATIONS = 50;
const MAX_CONVERSATION_CHARS = 8 * 1024 * 1024;
/** Messages that no call refers to are looked for this often. */
const TRIM_MESSAGES_MS = 300_000;

/** Captures, stores and returns prompts. */
export class PromptSnapshots {
  readonly #options: PromptSnapshotsOptions;
  readonly #chain: MessageChain;
  #waiting: Waiting[] = [];
  #held = { conversations: 0, chars: 0 };
  #trimmedAt = 0;
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();
  #tools: { readonly list: readonly ModelTool[]; readonly chars: number } = { list: [], chars: 0 };
  #complained = false;

  constructor(options: PromptSnapshotsOptions) {
    this.#options = options;
    this.#chain = new MessageChain((text) => this.#clean(text));
  }

  /** Takes a call in the path of its turn (PS1). Never throws. */
  capture(call: ObservedCall): void {
    if (call.incognito || !this.#options.settings().capture) return;
    const { view, step, at, model, effort, persona = "", system = "", usage } = call;
    const follows = system.startsWith(persona);
    const chars = charsOf(call.messages, call.shown);
    this.#waiting.push({
      task: view.id,
      class: view.class,
      context: view.context,
      step,
      at,
      model,
      effort,
      stable: follows ? persona : system,
      volatile: follows ? system.slice(persona.length).trimStart() : "",
      messages: this.#holdConversation(call, chars.conversationChars + chars.memoryChars + chars.digestChars),
      ...chars,
      toolsChars: this.#toolsChars(call.tools),
      usage,
    });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#timer ??= this.#options.clock.setTimeout(() => void this.flush(), FLUSH_MS, { background: true });
  }

  /** Writes what waits, and what the caps leave of it (PS3). Never rejects: what cannot be written is dropped. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Removes what was captured of a session. @throws DatabaseError */
  async forget(session: string): Promise<void> {
    this.#waiting = this.#waiting.filter(({ context }) => context !== session);
    await this.#remove(forget.bind({ context: this.#options.redactor.text(session) }));
  }

  /** Removes what was captured of tasks, as of subagents, whose conversations are their own. @throws DatabaseError */
  async forgetTasks(tasks: readonly string[]): Promise<void> {
    this.#waiting = this.#waiting.filter(({ task }) => !tasks.includes(task));
    await this.#remove(forgetTasks.bind({ tasks: JSON.stringify(tasks) }));
  }

  async #remove(rows: Statement): Promise<void> {
    await this.flush();
    const forgotten = [rows, trimTexts.bind({}), trimMessages.bind({})];
    await (await this.#options.db()).commit({ label: "prompts.forget", statements: forgotten, overwrite: true });
    this.#chain.forget();
  }

  /** Changes texts of what was captured. @throws DatabaseError */
  async rewrite(rewriting: TextRewriting): Promise<void> {
    await this.flush();
    await rewriteMessages(await this.#options.db(), rewriting, (context) => this.#options.redactor.text(context));
    this.#chain.forget();
  }

  /** The calls of a turn, in order, and the turn before it in its session; undefined where none is kept. @throws DatabaseError */
  async ofTask(task: string): Promise<
    | {
        readonly calls: readonly PromptCall[];
        /** What the calls were sent, each message once. */
        readonly messages: readonly PromptMessage[];
        readonly prev: string | undefined;
      }
    | undefined
  > {
    const db = await this.#options.db();
    const rows = await db.read(ofTask.bind({ task }));
    if (rows.length === 0) return undefined;
    const calls = rows.map(promptCall);
    const heads = calls.flatMap(({ last_message: head }) => (head === null ? [] : [head]));
    const [[prior], messages] = await Promise.all([db.read(before.bind({ task })), db.read(messagesOf(heads))]);
    return { calls, messages: messages.map(promptMessage), prev: prior === undefined ? undefined : String(prior[0]) };
  }

  /** The newest call, of a session if one is named; undefined where none is kept. @throws DatabaseError */
  async last(session?: string): Promise<PromptCall | undefined> {
    const db = await this.#options.db();
    const [row] = await db.read(session === undefined ? newest.bind({}) : newestOf.bind({ context: session }));
    return row === undefined ? undefined : promptCall(row);
  }

  /** What is kept, and which bound decides. @throws DatabaseError */
  async retention(): Promise<PromptRetention> {
    const { retentionDays, maxCalls } = this.#options.settings();
    const [row = []] = await (await this.#options.db()).read(kept.bind({}));
    const calls = Number(row[0]);
    const [oldest, youngest] = [row[1], row[2]].map((at) => (typeof at === "number" ? at : undefined));
    const full = maxCalls > 0 && calls >= maxCalls;
    const held = oldest === undefined ? 0 : (this.#options.clock.now() - oldest) / DAY_MS;
    const byCount = full && (retentionDays === 0 || held < retentionDays);
    const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
    return {
      retention_days: retentionDays,
      max_calls: maxCalls,
      calls,
      oldest_ts: iso(oldest),
      newest_ts: iso(youngest),
      effective_days: byCount ? Math.round(held * 1000) / 1000 : retentionDays === 0 ? null : retentionDays,
      binding_cap: byCount ? "max_calls" : retentionDays === 0 ? null : "retention_days",
    };
  }

  /** The array grows while the turn goes on: a copy of its references is what was sent. */
  #holdConversation({ messages, shown }: ObservedCall, chars: number): readonly ModelMessage[] | undefined {
    const { conversations, chars: held } = this.#held;
    if (conversations >= MAX_CONVERSATIONS || held + chars > MAX_CONVERSATION_CHARS) return undefined;
    this.#held = { conversations: conversations + 1, chars: held + chars };
    return messages.slice(0, shown);
  }

  #toolsChars(list: readonly ModelTool[]): number {
    if (this.#tools.list !== list) this.#tools = { list, chars: list.length === 0 ? 0 : JSON.stringify(list).length };
    return this.#tools.chars;
  }

  async #write(): Promise<void> {
    const { settings, clock, db, log } = this.#options;
    const { retentionDays, maxCalls } = settings();
    const taken = this.#waiting;
    if (taken.length === 0) return;
    this.#waiting = [];
    this.#held = { conversations: 0, chars: 0 };
    const calls = maxCalls > 0 ? taken.slice(-maxCalls) : taken;
    const texts = new Map<string, { readonly digest: string; readonly text: string }>();
    for (const { stable } of calls) if (!texts.has(stable)) texts.set(stable, this.#textOf(stable));
    const messages: MessageRow[] = [];
    const rows = calls.map((call) => this.#rowOf(call, texts.get(call.stable)!.digest, messages));
    const trims = clock.now() - this.#trimmedAt >= TRIM_MESSAGES_MS;
    try {
      const store = await db();
      await store.commit({
        label: "prompts.capture",
        statements: [
          ...[...texts.values()].map((text) => insertText.bind({ ...text })),
          insert.bind({ rows: JSON.stringify(rows) }),
          ...(messages.length === 0 ? [] : [insertMessages.bind({ rows: JSON.stringify(messages) })]),
          ...(retentionDays > 0 ? [trimAge.bind({ before: clock.now() - retentionDays * DAY_MS })] : []),
          ...(maxCalls > 0 ? [trimCount.bind({ keep: maxCalls })] : []),
          trimTexts.bind({}),
          ...(trims ? [trimMessages.bind({})] : []),
        ],
      });
      this.#complained = false;
      if (trims) this.#trimmedAt = clock.now();
      if (trims) this.#chain.forget();
    } catch (error) {
      this.#chain.forget();
      if (!this.#complained) log.warn(`prompts: cannot be written now: ${String(error)}`);
      this.#complained = true;
    }
  }

  #textOf(stable: string): { readonly digest: string; readonly text: string } {
    const text = this.#clean(stable);
    return { digest: createHash("sha256").update(text).digest("hex").slice(0, 32), text };
  }

  #rowOf(call: Waiting, digest: string, messages: MessageRow[]): readonly unknown[] {
    const kept = call.messages && this.#chain.add(`${call.class}\n${call.context}`, call.messages, messages);
    const { task, step, class: callerClass, context, at, model, volatile } = call;
    const sections = JSON.stringify(sectionsOf(call));
    const usage = JSON.stringify(usageOf(call.usage));
    const names = { session: this.#options.redactor.text(context), model: this.#options.redactor.text(model) };
    return [
      task,
      step,
      callerClass,
      names.session,
      at,
      names.model,
      digest,
      this.#clean(volatile),
      sections,
      usage,
      kept?.root ?? null,
      kept?.head ?? null,
      call.effort ?? null,
    ];
  }

  /** Without secrets, of bounded length, and such as a store can hold (PS2). */
  #clean(text: string): string {
    const clean = storableText(this.#options.redactor.text(text));
    return clean.length > MAX_TEXT
      ? `${clean.slice(0, MAX_TEXT)}\n(${clean.length} characters; the rest is not kept.)`
      : clean;
  }
}
