import type { Clock } from "../../clock/index.ts";
import type { Database, Value } from "../../database/index.ts";
import type { EmbeddingEndpoint } from "./embed-texts.ts";
import { embeddingStatements } from "./embedding-statements.ts";
import type { VectorThread } from "./vector-thread.ts";

/** Where texts become vectors, and under which name its vectors are kept: connection and model. */
export interface EmbeddingServer extends EmbeddingEndpoint {
  readonly name: string;
}

/** A model as the store knows it. */
export interface EmbedModel {
  readonly id: number;
  readonly name: string;
  readonly mean: Float32Array;
  readonly floor: number;
}

/** The current model: the newest one, as long as the settings name it. */
export class EmbedModels {
  readonly #clock: Pick<Clock, "now">;
  readonly #thread: VectorThread;
  readonly #sql = embeddingStatements();
  #model: EmbedModel | undefined;
  /** A model whose vectors have another size by now. */
  #outgrown = 0;

  constructor(clock: Pick<Clock, "now">, thread: VectorThread) {
    this.#clock = clock;
    this.#thread = thread;
  }

  /** Undefined: it is to be measured first, see `add`. @throws DatabaseError */
  async known(db: Database, { name }: EmbeddingServer): Promise<EmbedModel | undefined> {
    if (this.#model?.name === name) return this.#model;
    const [row] = await db.read(this.#sql.newestModel.bind({ name }));
    if (row === undefined) return undefined;
    const [[newest] = []] = await db.read(this.#sql.newestId.bind({}));
    // One that was current before another one: what was embedded since has no vector of it.
    if (Number(row[0]) !== Number(newest) || Number(newest) === this.#outgrown) return undefined;
    const [id, , mean, floor] = row;
    this.#model = { id: Number(id), name, mean: floatsOf(bytesOf(mean)), floor: Number(floor) };
    return this.#model;
  }

  /** Measures a model and makes it the current one. @throws EmbeddingError @throws DatabaseError */
  async add(db: Database, server: EmbeddingServer): Promise<EmbedModel | undefined> {
    const { mean, floor } = await this.#thread.ask("calibrate", { endpoint: server });
    const bound = { name: server.name, dims: mean.length, mean: new Uint8Array(mean.buffer), floor };
    const at = this.#clock.now();
    await db.commit({ label: "knowledge.embed-model", statements: [this.#sql.addModel.bind({ ...bound, at })] });
    return this.known(db, server);
  }

  /** A model of the same name with vectors of another size is another model. */
  outgrow(): void {
    this.#outgrown = this.#model?.id ?? 0;
    this.#model = undefined;
  }
}

/** A stored value as bytes. */
export function bytesOf(value: Value | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
