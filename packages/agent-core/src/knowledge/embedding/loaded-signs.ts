import type { Database } from "../../database/index.ts";
import { bytesOf, type EmbedModel } from "./embed-models.ts";
import { embeddingStatements } from "./embedding-statements.ts";
import type { VectorThread } from "./vector-thread.ts";

/** Rows of a page that is loaded into the thread. */
const PAGE = 2_000;

/** The signs of a model in the thread: brought there once, for as long as the thread runs. */
export class LoadedSigns {
  readonly #thread: VectorThread;
  readonly #sql = embeddingStatements();
  #loaded:
    | { readonly model: number; readonly generation: number | undefined; readonly done: Promise<void> }
    | undefined;

  constructor(thread: VectorThread) {
    this.#thread = thread;
  }

  /** Brings the signs of a model into the thread, unless they are there. */
  load(db: Database, model: EmbedModel): Promise<void> {
    const known = this.of(model);
    if (known !== undefined) return known;
    const done = this.#loadAll(db, model);
    const loaded = { model: model.id, generation: this.#thread.generation, done };
    this.#loaded = loaded;
    done.catch(() => {
      if (this.#loaded === loaded) this.#loaded = undefined;
    });
    return done;
  }

  /** Undefined: the thread that runs has them not. */
  of({ id }: EmbedModel): Promise<void> | undefined {
    const { model, generation, done } = this.#loaded ?? {};
    return model === id && generation !== undefined && generation === this.#thread.generation ? done : undefined;
  }

  async #loadAll(db: Database, { id, mean }: EmbedModel): Promise<void> {
    await this.#thread.ask("open", { dims: mean.length });
    for (let after = 0; ; ) {
      const page = await db.read(this.#sql.signs.bind({ model: id, after, limit: PAGE }), "long");
      const rows = page.map((row) => [Number(row[0]), bytesOf(row[1])] as const);
      if (rows.length > 0) await this.#thread.ask("load", { rows });
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.[0] ?? after;
    }
  }
}
