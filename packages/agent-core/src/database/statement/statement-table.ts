import { readStatementText, type StatementText } from "./statement-text.ts";

/** A statement's text with its number in the table. */
export interface NumberedStatement extends StatementText {
  readonly id: number;
}

/** Where a table stands, so that a thread's copy can be brought up to date. */
export interface TableUpdate {
  /** Grows when the table was emptied: the copy must be emptied too. */
  readonly generation: number;
  /** The texts the copy does not have yet, in order. */
  readonly added: readonly string[];
}

/**
 * Numbers SQL texts, so that each crosses to a thread once and is prepared once there.
 *
 * Invariants
 *  TU1  Within a generation a number means one text.
 *  TU2  `trim` empties a table of more than `limit` texts and starts the next generation: texts that are made up as
 *       one goes cost speed, not memory (EN10). It is called before a message is written, never while one is.
 */
export class StatementTable {
  readonly #limit: number;
  readonly #byText = new Map<string, NumberedStatement>();
  readonly #texts: string[] = [];
  #generation = 0;

  constructor(limit = 512) {
    this.#limit = limit;
  }

  /** The text's entry. @throws DatabaseError `misuse` */
  number(sql: string): NumberedStatement {
    const known = this.#byText.get(sql);
    if (known !== undefined) return known;
    const entry: NumberedStatement = { ...readStatementText(sql), id: this.#texts.length };
    this.#texts.push(sql);
    this.#byText.set(sql, entry);
    return entry;
  }

  /** Starts the next generation when there are too many texts. */
  trim(): void {
    if (this.#texts.length <= this.#limit) return;
    this.#byText.clear();
    this.#texts.length = 0;
    this.#generation += 1;
  }

  get generation(): number {
    return this.#generation;
  }

  /** What a copy that holds `known` texts of `generation` lacks. */
  since(generation: number, known: number): TableUpdate {
    return { generation: this.#generation, added: this.#texts.slice(generation === this.#generation ? known : 0) };
  }

  /** How many texts the table holds. */
  get size(): number {
    return this.#texts.length;
  }
}
