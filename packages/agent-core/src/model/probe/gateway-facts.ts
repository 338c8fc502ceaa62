import { type ListedModel, type ListModelsOptions, listModels, readModelInfo } from "./list-models.ts";

export interface GatewayFactsOptions {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Milliseconds. Default 2,500 (R13). */
  readonly timeoutMs?: number;
}

/**
 * Details of a gateway's models (R13), read once, when first asked for. No turn waits for them: until they are read, and
 * where the gateway lists nothing, a model is not known.
 */
export class GatewayFacts {
  readonly #options: GatewayFactsOptions;
  #models: ReadonlyMap<string, ListedModel> = new Map();
  #reading: Promise<void> | undefined;

  constructor(options: GatewayFactsOptions) {
    this.#options = options;
  }

  /** The model's details; undefined: not known yet. Starts the reading. */
  of(name: string): ListedModel | undefined {
    void this.read();
    return this.#models.get(name);
  }

  /** Resolves when the gateway was read or did not answer. Never rejects. */
  read(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { baseUrl, apiKey, timeoutMs = 2_500 } = this.#options;
    const options = { baseUrl, timeoutMs, ...(apiKey === undefined ? {} : { apiKey }) };
    try {
      const models = await listModels(options);
      this.#models = byName(models);
      if (!models.some(hasDetails)) this.#models = byName([...models, ...(await infoOf(options))]);
    } catch {
      // A gateway need not list its models; calls report what is wrong with it.
    }
  }
}

/** Whether a server lists more than the model's name. */
function hasDetails({ contextWindow, price, vision }: ListedModel): boolean {
  return contextWindow !== undefined || price !== undefined || vision !== undefined;
}

async function infoOf(options: ListModelsOptions): Promise<ListedModel[]> {
  try {
    return await readModelInfo(options);
  } catch {
    return [];
  }
}

/** Of two models with one name, the later one. */
function byName(models: readonly ListedModel[]): ReadonlyMap<string, ListedModel> {
  return new Map(models.map((model) => [model.name, model]));
}
