import type { LiveTurn } from "./live-turn.ts";

/** A live turn with the message it was started by; joined turns have none. */
export interface LiveEntry<TMessage> {
  /** With every event received so far, also those that are not rendered yet. */
  readonly turn: LiveTurn;
  readonly message: TMessage | undefined;
}

/** The live turns of all sessions. Each has a current and a shown state; the shown one follows once a frame. */
export interface LiveEntries<TMessage> {
  /** The shown turns of a session, oldest first; the same array until a turn is added, removed or gets its task. */
  of(session: string): readonly LiveTurn[];
  shown(key: string): LiveTurn | undefined;
  /** Calls the listener when any session's list changes. Returns an unsubscribe function. */
  onList(listener: () => void): () => void;
  /** Calls the listener when the shown state of a turn changes. Returns an unsubscribe function. */
  onTurn(key: string, listener: () => void): () => void;
  entry(key: string): LiveEntry<TMessage> | undefined;
  ofTask(taskId: string): LiveEntry<TMessage> | undefined;
  add(turn: LiveTurn, message: TMessage | undefined): void;
  /** Changes the current state at once and the shown state at the next frame. */
  change(key: string, change: (turn: LiveTurn) => LiveTurn): void;
  drop(key: string): void;
  /** Takes the stored tasks of a session, complete from `from` on; drops turns that were stored before and are missing now. */
  reconcile(session: string, tasks: ReadonlySet<string>, from: string): void;
  /** Drops the turns of a session whose task comes after this one, stored or not. Turns without a task stay. */
  forgetAfter(session: string, task: string): void;
}

interface Kept<TMessage> extends LiveEntry<TMessage> {
  turn: LiveTurn;
  shown: LiveTurn;
  stored: boolean;
  readonly listeners: Set<() => void>;
}

/** Beyond it, the turns that ended and were added first are dropped. */
const MAX_TURNS = 200;

/** Creates an empty collection of live turns. `schedule` runs a function at the next frame. */
export function createLiveEntries<TMessage>(schedule: (run: () => void) => void): LiveEntries<TMessage> {
  const entries = new Map<string, Kept<TMessage>>();
  const listListeners = new Set<() => void>();
  const lists = new Map<string, readonly LiveTurn[]>();
  const changed = new Set<Kept<TMessage>>();

  function listChanged(session: string): void {
    lists.delete(session);
    for (const listener of listListeners) listener();
  }
  function show(): void {
    const shownNow = [...changed];
    changed.clear();
    for (const entry of shownNow) {
      const before = entry.shown;
      entry.shown = entry.turn;
      for (const listener of entry.listeners) listener();
      if (before.taskId !== entry.shown.taskId) listChanged(entry.shown.session);
    }
  }
  function drop(key: string): void {
    const entry = entries.get(key);
    entries.delete(key);
    if (entry !== undefined) listChanged(entry.turn.session);
  }
  return {
    of(session) {
      const known = lists.get(session);
      if (known !== undefined) return known;
      const list = [...entries.values()].map(({ shown }) => shown).filter((turn) => turn.session === session);
      lists.set(session, list);
      return list;
    },
    shown: (key) => entries.get(key)?.shown,
    onList(listener) {
      listListeners.add(listener);
      return () => listListeners.delete(listener);
    },
    onTurn(key, listener) {
      const listeners = entries.get(key)?.listeners;
      listeners?.add(listener);
      return () => listeners?.delete(listener);
    },
    entry: (key) => entries.get(key),
    ofTask: (taskId) => [...entries.values()].find(({ turn }) => turn.taskId === taskId),
    add(turn, message) {
      entries.set(turn.key, { turn, shown: turn, message, stored: false, listeners: new Set() });
      for (const [key, old] of entries) {
        if (entries.size <= MAX_TURNS) break;
        if (!old.turn.open) drop(key);
      }
      listChanged(turn.session);
    },
    change(key, change) {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entry.turn = change(entry.turn);
      if (changed.size === 0) schedule(show);
      changed.add(entry);
    },
    drop,
    reconcile(session, tasks, from) {
      for (const [key, entry] of entries) {
        const { taskId } = entry.turn;
        if (entry.turn.session !== session || taskId === undefined || taskId < from) continue;
        if (tasks.has(taskId)) entry.stored = true;
        else if (entry.stored) drop(key);
      }
    },
    forgetAfter(session, task) {
      for (const [key, { turn }] of entries) {
        if (turn.session === session && turn.taskId !== undefined && turn.taskId > task) drop(key);
      }
    },
  };
}
