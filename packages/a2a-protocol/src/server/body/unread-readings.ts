/**
 * Readings of tasks that streams keep open while no one reads from them: each keeps its task in memory, and a peer
 * can open one on each of a thousand tasks that ended long ago. Invariants:
 * 1. The tasks so kept for one class of callers weigh `bytes` together at most, beyond it by one task. A task counts once,
 *    however many streams have a reading of it.
 * 2. Beyond it the readings of the task whose streams have not been read for longest are closed. Its streams stay open:
 *    each reads its task again, where it stopped, when its reader takes more.
 */

/** What one stream keeps. */
export interface UnreadReading {
  readonly task: string;
  /** The class of its caller. */
  readonly class: string;
  /** About how much memory its task takes. */
  readonly bytes: number;
}

/** Bytes of tasks kept for each class of callers. */
const BYTES = 32 * 1024 * 1024;

interface KeptTask {
  readonly id: string;
  bytes: number;
  readonly readings: Map<UnreadReading, () => void>;
}

/** Those of one class; the task that was read from last comes last. */
class KeptTasks {
  readonly #most: number;
  readonly #tasks = new Map<string, KeptTask>();
  bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(reading: UnreadReading, close: () => void): void {
    const { task: id, bytes } = reading;
    const kept = this.#tasks.get(id) ?? { id, bytes: 0, readings: new Map() };
    this.#tasks.delete(id);
    this.#tasks.set(id, kept);
    this.bytes += Math.max(0, bytes - kept.bytes);
    kept.bytes = Math.max(bytes, kept.bytes);
    kept.readings.set(reading, close);
    for (const oldest of this.#tasks.values()) {
      if (this.bytes <= this.#most || oldest === kept) break;
      this.#drop(oldest);
      for (const closeReading of oldest.readings.values()) closeReading();
    }
  }

  remove(reading: UnreadReading): void {
    const kept = this.#tasks.get(reading.task);
    if (kept?.readings.delete(reading) === true && kept.readings.size === 0) this.#drop(kept);
  }

  #drop(kept: KeptTask): void {
    this.#tasks.delete(kept.id);
    this.bytes -= kept.bytes;
  }
}

/** The unread readings of one agent. */
export class UnreadReadings {
  readonly #most: number;
  readonly #classes = new Map<string, KeptTasks>();

  /** `bytes`: for each class of callers. */
  constructor(bytes = BYTES) {
    this.#most = bytes;
  }

  /** Bytes of the tasks kept for a class. */
  bytesOf(callerClass: string): number {
    return this.#classes.get(callerClass)?.bytes ?? 0;
  }

  /** A stream is not read for now; `close` is called where its reading is not to be kept. */
  add(reading: UnreadReading, close: () => void): void {
    let kept = this.#classes.get(reading.class);
    if (kept === undefined) {
      kept = new KeptTasks(this.#most);
      this.#classes.set(reading.class, kept);
    }
    kept.add(reading, close);
  }

  /** Its reader takes more, or the stream is over. */
  remove(reading: UnreadReading): void {
    this.#classes.get(reading.class)?.remove(reading);
  }
}
