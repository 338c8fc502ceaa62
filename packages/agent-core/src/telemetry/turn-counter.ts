import type { Database } from "../database/index.ts";
import { AFTER_MARK, FROM_MARK, MOVE_MARK } from "./turn-totals.ts";

/** Turns that are added up together: 2 µs each, and the writing thread is held for 3 ms. */
const TOGETHER = 1_000;

/** Adds turns up once there are enough of them (TT2). Until then whoever reads sums reads their rows too. */
export class TurnCounter {
  readonly #together: number;
  #mark: number | undefined;
  #uncounted = 0;

  constructor(together = TOGETHER) {
    this.#together = together;
  }

  /** Turns that ended before this time (epoch milliseconds) are in the sums. @throws DatabaseError */
  async mark(db: Database): Promise<number> {
    if (this.#mark === undefined) {
      const [[at, uncounted] = []] = await db.read(FROM_MARK.bind({}));
      this.#mark = Number(at);
      this.#uncounted = Number(uncounted);
    }
    return this.#mark;
  }

  /** Call it when so many rows were written. @throws DatabaseError */
  async wrote(db: Database, rows: number): Promise<void> {
    this.#uncounted += rows;
    // A fifth more than are taken: the newest are left, for turns that ended as they did may not be written yet.
    while (this.#uncounted >= this.#together * 1.2) {
      const [[at] = []] = await db.read(AFTER_MARK.bind({ count: this.#together }));
      if (at === undefined) {
        // Some rows were written again, or were late.
        this.#uncounted = 0;
        return;
      }
      // Of turns that ended in one millisecond all are passed, or none.
      const to = Math.max(Number(at), (await this.mark(db)) + 1);
      this.#mark = undefined;
      await db.commit({ label: "telemetry.sums", statements: MOVE_MARK.map((statement) => statement.bind({ to })) });
      await this.mark(db);
    }
  }
}
