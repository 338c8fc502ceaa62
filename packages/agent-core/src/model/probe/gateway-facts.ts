import { type ListedModel, listModels } from "./list-models.ts";

/** Where a gateway's models are listed. */
export interface GatewayFactsOptions {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Milliseconds. Default 2,500 (reference-runtime.md section 2). */
  readonly timeoutMs?: number;
}

/**
 * What a gateway tells of its models (ruling R13), read once, when it is first asked for, beside the turn that asks:
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
    try {
      const models = await listModels({ baseUrl, timeoutMs, ...(apiKey === undefined ? {} : { apiKey }) });
      this.#models = new Map(models.map((model) => [model.name, model]));
    } catch {
      // A gateway need not list its models; calls say what is wrong with it.
    }
  }
}
