import type { LiveTurn } from "./live-turn.ts";

/** A turn and what it was made of. */
export interface LiveEntry<TMessage> {
  /** As heard. */
  readonly turn: LiveTurn;
  readonly message: TMessage | undefined;
}

/** Live turns, kept as heard and shown by the frame. */
export interface LiveEntries<TMessage> {
  of(session: string): readonly LiveTurn[];
  shown(key: string): LiveTurn | undefined;
  onList(tell: () => void): () => void;
  onTurn(key: string, tell: () => void): () => void;
  entry(key: string): LiveEntry<TMessage> | undefined;
  ofTask(taskId: string): LiveEntry<TMessage> | undefined;
  add(turn: LiveTurn, message: TMessage | undefined): void;
  /** Changes a turn, now as heard and at the next frame as shown. */
  change(key: string, change: (turn: LiveTurn) => LiveTurn): void;
  drop(key: string): void;
  /** Says which tasks of a session are stored, of all from `from` on. Those that were and are not any more are dropped. */
  stored(session: string, tasks: ReadonlySet<string>, from: string): void;
  /** Drops the turns of a session whose task comes after one: they were taken back, also those that were never read. */
  rewound(session: string, after: string): void;
}

interface Kept<TMessage> extends LiveEntry<TMessage> {
  turn: LiveTurn;
  shown: LiveTurn;
  stored: boolean;
  readonly tells: Set<() => void>;
}

/** More are not kept: those that ended longest ago go. */
const MOST = 200;

/** Makes a place for live turns. `schedule` runs something soon, by the frame. */
export function createLiveEntries<TMessage>(schedule: (run: () => void) => void): LiveEntries<TMessage> {
  const entries = new Map<string, Kept<TMessage>>();
  const listeners = new Set<() => void>();
  const lists = new Map<string, readonly LiveTurn[]>();
  const dirty = new Set<Kept<TMessage>>();

  function listChanged(session: string): void {
    lists.delete(session);
    for (const tell of listeners) tell();
  }
  function show(): void {
    const changed = [...dirty];
    dirty.clear();
    for (const entry of changed) {
      const before = entry.shown;
      entry.shown = entry.turn;
      for (const tell of entry.tells) tell();
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
    onList(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    onTurn(key, tell) {
      const tells = entries.get(key)?.tells;
      tells?.add(tell);
      return () => tells?.delete(tell);
    },
    entry: (key) => entries.get(key),
    ofTask: (taskId) => [...entries.values()].find(({ turn }) => turn.taskId === taskId),
    add(turn, message) {
      entries.set(turn.key, { turn, shown: turn, message, stored: false, tells: new Set() });
      for (const [key, old] of entries) {
        if (entries.size <= MOST) break;
        if (!old.turn.open) drop(key);
      }
      listChanged(turn.session);
    },
    change(key, change) {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entry.turn = change(entry.turn);
      if (dirty.size === 0) schedule(show);
      dirty.add(entry);
    },
    drop,
    stored(session, tasks, from) {
      for (const [key, entry] of entries) {
        const { taskId } = entry.turn;
        if (entry.turn.session !== session || taskId === undefined || taskId < from) continue;
        if (tasks.has(taskId)) entry.stored = true;
        else if (entry.stored) drop(key);
      }
    },
    rewound(session, after) {
      for (const [key, { turn }] of entries) {
        if (turn.session === session && turn.taskId !== undefined && turn.taskId > after) drop(key);
      }
    },
  };
}
