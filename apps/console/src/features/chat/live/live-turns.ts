import type { MessageInput, RemoteAgent } from "@agent-service/a2a-protocol/client";
import { createTurnFollower } from "./follow-turn.ts";
import { createLiveEntries } from "./live-entries.ts";
import { isOver, type LiveTurn, type TurnUsage } from "./live-turn.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";

/** What the store of live turns needs. */
export interface LiveTurnsOptions {
  readonly agent: () => Promise<Pick<RemoteAgent, "stream" | "resubscribe" | "cancel">>;
  readonly now: () => number;
  readonly newKey: () => string;
  /** Runs a function at the next frame. Called once for all changes of a frame. */
  readonly schedule: (run: () => void) => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * The turns this page sent or joined. Events are applied at once and shown at the next frame, and only the listeners of
 * that turn are notified: a hundred tokens a second render one row, not the list.
 */
export interface LiveTurns {
  /** The turns of a session, oldest first; the same array until a turn is added, removed or gets its task. */
  of(session: string): readonly LiveTurn[];
  get(key: string): LiveTurn | undefined;
  /** Calls the listener when a turn is added, removed, or gets its task. Returns an unsubscribe function. */
  onList(listener: () => void): () => void;
  /** Calls the listener when the shown state of this turn changes. Returns an unsubscribe function. */
  onTurn(key: string, listener: () => void): () => void;
  /** Sends a message and follows its turn. Returns the turn's key. */
  send(message: OutgoingMessage): string;
  /** Follows a turn that is already running, from its start or behind the last event received of it. */
  join(session: string, taskId: string, startedAt: number): void;
  /** Records what the ended model calls of a turn used. A turn that is not followed here is ignored. */
  recordUsage(taskId: string, usage: TurnUsage): void;
  /** Sends a message again that could not be sent. */
  retry(key: string): void;
  /** Forgets a turn that could not be sent; returns its message. */
  withdraw(key: string): OutgoingMessage | undefined;
  /**
   * Takes the stored turns of a session, complete from the task `from` on. Turns that were stored before and are missing
   * now were removed from the conversation, here or elsewhere, and are forgotten.
   */
  reconcile(session: string, tasks: ReadonlySet<string>, from: string): void;
  /** Forgets the turns of a session after a task: the conversation was rewound to it. */
  forgetAfter(session: string, task: string): void;
  /** Cancels a turn. Rejects where the agent cannot be reached or refuses. */
  cancel(taskId: string): Promise<void>;
  /** Stops following. The agent continues them. */
  close(): void;
}

const BLANK = { state: "working", open: true, reconnecting: false, steps: [], text: "", components: [] } as const;

/** Creates a store of live turns. */
export function createLiveTurns(options: LiveTurnsOptions): LiveTurns {
  const { agent, now, newKey, wait } = options;
  const entries = createLiveEntries<OutgoingMessage>(options.schedule);
  const closing = new AbortController();
  const { signal } = closing;
  const resubscribe = async (taskId: string, after: number) => (await agent()).resubscribe(taskId, { after, signal });
  const follow = createTurnFollower({ entries, resubscribe, now, wait, signal });

  function start(key: string, message: OutgoingMessage): void {
    const { session, model, effort } = message;
    const metadata = { ...(model !== "" && { model }), ...(effort !== "" && { reasoning_effort: effort }) };
    // Sent again after the connection broke, it is the same turn where the agent had accepted it already (A15).
    const options = { contextId: session, idempotencyKey: key, ...(Object.keys(metadata).length > 0 && { metadata }) };
    // No signal: a request in flight completes when the page is left.
    void follow(key, async () => (await agent()).stream(inputOf(message), options));
  }
  /** A stream from its start ends where the turn once waited for a person: what came after the answer is behind that. */
  async function rejoin(key: string, taskId: string): Promise<void> {
    const turnNow = (): LiveTurn | undefined => entries.entry(key)?.turn;
    let before: number | undefined;
    do {
      before = turnNow()?.seq;
      const after = before ?? 0;
      entries.change(key, (turn) => ({ ...turn, open: true }));
      await follow(key, () => resubscribe(taskId, after));
    } while (!signal.aborted && turnNow()?.state === "waiting" && turnNow()?.seq !== before);
  }
  return {
    of: entries.of,
    get: entries.shown,
    onList: entries.onList,
    onTurn: entries.onTurn,
    send(message) {
      const { session, text: sentText, files } = message;
      const key = newKey();
      const sent = { key, session, sentText, files, startedAt: now() };
      entries.add({ ...BLANK, ...sent, state: "queued" }, message);
      start(key, message);
      return key;
    },
    join(session, taskId, startedAt) {
      const known = entries.ofTask(taskId)?.turn;
      if (known !== undefined && (known.open || isOver(known.state))) return;
      const key = known?.key ?? newKey();
      if (known === undefined) {
        entries.add({ ...BLANK, key, session, taskId, sentText: "", files: [], startedAt }, undefined);
      }
      void rejoin(key, taskId);
    },
    recordUsage(taskId, usage) {
      const key = entries.ofTask(taskId)?.turn.key;
      if (key !== undefined) entries.change(key, (turn) => ({ ...turn, usage }));
    },
    retry(key) {
      const entry = entries.entry(key);
      if (entry?.message === undefined || entry.turn.open) return;
      entries.change(key, ({ failure: _, ...turn }) => ({ ...turn, state: "queued", open: true }));
      start(key, entry.message);
    },
    withdraw(key) {
      const message = entries.entry(key)?.message;
      entries.drop(key);
      return message;
    },
    reconcile: entries.reconcile,
    forgetAfter: entries.forgetAfter,
    async cancel(taskId) {
      await (await agent()).cancel(taskId);
    },
    close() {
      closing.abort(new Error("The conversation was left."));
    },
  };
}

/** The input names the console as its surface, so that the agent refuses unknown slash commands (R15). */
function inputOf({ text, files, incognito, bypassApprovals }: OutgoingMessage): MessageInput {
  return {
    parts: [
      ...(text === "" ? [] : [{ text }]),
      ...files.map(({ name, mediaType, raw }) => ({ raw, mediaType, filename: name })),
    ],
    metadata: {
      surface: "console",
      ...(incognito && { incognito: true }),
      ...(bypassApprovals === true && { bypass_approvals: true }),
    },
  };
}
