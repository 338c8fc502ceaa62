import { type AgentEvent, ClientError, type MessageInput, type RemoteAgent } from "@agent-service/a2a-protocol/client";
import { failureOf } from "../../ui/index.ts";
import { createLiveEntries, type LiveEntries } from "./live-entries.ts";
import { foldEvent, isOver, type LiveTurn, type UsedSoFar } from "./live-turn.ts";

/** What a person sends. */
export interface Outgoing {
  readonly session: string;
  readonly text: string;
  readonly files: readonly OutgoingFile[];
  /** Blank: the one that leads. */
  readonly model: string;
  readonly incognito: boolean;
}

/** A file that goes along: base64, with its type and name. */
export interface OutgoingFile {
  readonly name: string;
  readonly mediaType: string;
  readonly raw: string;
}

/** What the store of live turns needs. */
export interface LiveTurnsOptions {
  readonly agent: () => Promise<Pick<RemoteAgent, "stream" | "resubscribe" | "cancel">>;
  readonly now: () => number;
  readonly newKey: () => string;
  /** Runs something soon, once for many calls a frame: what is heard is shown then. */
  readonly schedule: (run: () => void) => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * The turns this page sent or joined. What is heard is kept at once and shown by the frame, and only who shows that turn
 * is told: a hundred tokens a second draw one row, not the list.
 */
export interface LiveTurns {
  /** The turns of a session, oldest first; the same array until one comes or gets its task. */
  of(session: string): readonly LiveTurn[];
  get(key: string): LiveTurn | undefined;
  /** Told when a turn comes, goes, or gets its task. */
  onList(tell: () => void): () => void;
  /** Told when this turn is shown anew. */
  onTurn(key: string, tell: () => void): () => void;
  /** Sends, and follows what comes of it. Returns the turn's key. */
  send(message: Outgoing): string;
  /** Follows a turn that runs already, from its start or from where it was heard of last. */
  join(session: string, taskId: string, startedAt: number): void;
  /** A model call of a turn ended. */
  use(taskId: string, used: UsedSoFar): void;
  /** Sends again what could not be sent. */
  retry(key: string): void;
  /** Forgets a turn that could not be sent; what was to be sent. */
  takeBack(key: string): Outgoing | undefined;
  /**
   * Says which turns of a session are stored, of all from the task `from` on. Those that were and are not any more were
   * taken out of the conversation, here or elsewhere, and are forgotten.
   */
  stored(session: string, tasks: ReadonlySet<string>, from: string): void;
  /** Forgets what was heard of a session after a task: it was taken back, also where it was never read. */
  rewound(session: string, after: string): void;
  /** Cancels a turn. Rejects when that cannot be said to the agent. */
  cancel(taskId: string): Promise<void>;
  /** Follows nothing more; what was sent goes on at the agent. */
  close(): void;
}

type Events = AsyncGenerator<AgentEvent, void>;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const BLANK = { state: "working", open: true, reconnecting: false, steps: [], text: "", components: [] } as const;

/** Makes a store of live turns. */
export function createLiveTurns(options: LiveTurnsOptions): LiveTurns {
  const { agent, now, newKey } = options;
  const entries = createLiveEntries<Outgoing>(options.schedule);
  const closing = new AbortController();
  const { signal } = closing;
  const follow = createFollower(options, entries, signal);

  function start(key: string, message: Outgoing): void {
    const { session, model } = message;
    // Sent again after the connection broke, it is the same turn where the agent had accepted it already (ruling A15).
    const options = { contextId: session, idempotencyKey: key, ...(model !== "" && { metadata: { model } }) };
    // No signal: a message that is on its way when the page is left arrives.
    void follow(key, async () => (await agent()).stream(inputOf(message), options));
  }
  return {
    of: entries.of,
    get: entries.shown,
    onList: entries.onList,
    onTurn: entries.onTurn,
    send(message) {
      const { session, text, files } = message;
      const key = newKey();
      const said = { key, session, said: text, files: files.map(({ name }) => name), startedAt: now() };
      entries.add({ ...BLANK, ...said, state: "queued" }, message);
      start(key, message);
      return key;
    },
    join(session, taskId, startedAt) {
      const known = entries.ofTask(taskId)?.turn;
      if (known !== undefined && (known.open || isOver(known.state))) return;
      const key = known?.key ?? newKey();
      if (known === undefined) {
        entries.add({ ...BLANK, key, session, taskId, said: "", files: [], startedAt }, undefined);
      } else entries.change(key, (turn) => ({ ...turn, open: true }));
      void follow(key, async () => (await agent()).resubscribe(taskId, { after: known?.seq ?? 0, signal }));
    },
    use(taskId, used) {
      const key = entries.ofTask(taskId)?.turn.key;
      if (key !== undefined) entries.change(key, (turn) => ({ ...turn, used }));
    },
    retry(key) {
      const entry = entries.entry(key);
      if (entry?.message === undefined || entry.turn.open) return;
      entries.change(key, ({ failure: _, ...turn }) => ({ ...turn, state: "queued", open: true }));
      start(key, entry.message);
    },
    takeBack(key) {
      const message = entries.entry(key)?.message;
      entries.drop(key);
      return message;
    },
    stored: entries.stored,
    rewound: entries.rewound,
    async cancel(taskId) {
      await (await agent()).cancel(taskId);
    },
    close() {
      closing.abort(new Error("The conversation was left."));
    },
  };
}

/** Follows a turn until it rests, however often the connection breaks. Never rejects. */
function createFollower(
  { agent, now, wait }: LiveTurnsOptions,
  entries: LiveEntries<Outgoing>,
  signal: AbortSignal,
): (key: string, first: () => Promise<Events>) => Promise<void> {
  async function hear(key: string, events: Events): Promise<void> {
    for await (const event of events) {
      if (signal.aborted) return;
      entries.change(key, (turn) => ({ ...foldEvent(turn, event, now()), reconnecting: false }));
    }
  }
  return async (key, first) => {
    const seen = (): LiveTurn | undefined => entries.entry(key)?.turn;
    let open = first;
    for (let failures = 0; ; ) {
      const before = seen()?.seq;
      try {
        await hear(key, await open());
        entries.change(key, (turn) => ({ ...turn, open: false, reconnecting: false }));
        return;
      } catch (error) {
        const taskId = seen()?.taskId;
        if (signal.aborted) return;
        if (taskId === undefined || !(error instanceof ClientError) || !error.retryable) {
          entries.change(key, (turn) => failedWith(turn, error));
          return;
        }
        failures = seen()?.seq === before ? failures + 1 : 1;
        entries.change(key, (turn) => ({ ...turn, reconnecting: true }));
        await wait(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)), signal);
        if (signal.aborted) return;
        open = async () => (await agent()).resubscribe(taskId, { after: seen()?.seq ?? 0, signal });
      }
    }
  };
}

function failedWith(turn: LiveTurn, error: unknown): LiveTurn {
  return { ...turn, state: "failed", open: false, reconnecting: false, failure: failureOf(error) };
}

/** A message of the console: it says so, for unknown slash commands are refused then (ruling R11b). */
function inputOf({ text, files, incognito }: Outgoing): MessageInput {
  return {
    parts: [
      ...(text === "" ? [] : [{ text }]),
      ...files.map(({ name, mediaType, raw }) => ({ raw, mediaType, filename: name })),
    ],
    metadata: { surface: "console", ...(incognito && { incognito: true }) },
  };
}
