import { type ListedModel, type ListModelsOptions, listModels, readModelInfo } from "./list-models.ts";

/** Where a gateway's models are listed. */
export interface GatewayFactsOptions {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Milliseconds. Default 2,500 (R13). */
  readonly timeoutMs?: number;
}

/**
 * What a gateway tells of its models (R13), read once, when it is first asked for, beside the turn that asks:
 * nobody waits for it. Until then, and where the gateway tells nothing, nothing is known.
 */
export class GatewayFacts {
  readonly #options: GatewayFactsOptions;
  #models: ReadonlyMap<string, ListedModel> = new Map();
  #reading: Promise<void> | undefined;

  constructor(options: GatewayFactsOptions) {
    this.#options = options;
  }

  /** What is known of a model now. */
  of(name: string): ListedModel | undefined {
    void this.read();
    return this.#models.get(name);
  }

  /** Resolves when the gateway was read, or did not answer. Never rejects. */
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
      if (!models.some(tells)) this.#models = byName([...models, ...(await infoOf(options))]);
    } catch {
      // A gateway need not list its models; calls say what is wrong with it.
    }
  }
}

/** Whether a server says more of a model than its name. */
function tells({ contextWindow, price, vision }: ListedModel): boolean {
  return contextWindow !== undefined || price !== undefined || vision !== undefined;
}

async function infoOf(options: ListModelsOptions): Promise<ListedModel[]> {
  try {
    return await readModelInfo(options);
  } catch {
    return [];
  }
}

/** Of two of one name, what the later one says. */
function byName(models: readonly ListedModel[]): ReadonlyMap<string, ListedModel> {
  return new Map(models.map((model) => [model.name, model]));
}
