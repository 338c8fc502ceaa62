import {
  type Model,
  type ModelCallOptions,
  ModelError,
  type ModelEvent,
  type ModelRequest,
} from "@agent-service/agent-core/host";

/** A refusal of the service's credential by a provider. */
export interface AuthFailure {
  /** Id of the connection. */
  readonly connection: string;
  readonly message: string;
}

/** Remembers which connection's credential was refused (B32, `graph_auth_error`). */
export interface AuthWatch {
  /** The connection's model, watched. */
  wrap(connection: string, model: Model): Model;
  /** The newest refusal, until the connection answers a call or the settings change. */
  failure(): AuthFailure | undefined;
  /** Called when the settings changed: the refused credential may have been replaced. */
  forget(): void;
}

/** Watches calls at their connections: events of tasks name models, which several connections may serve. */
export function watchAuth(): AuthWatch {
  let failure: AuthFailure | undefined;
  const report = (connection: string, error: unknown): void => {
    if (error instanceof ModelError && error.code === "unauthorized") failure = { connection, message: error.message };
    else if (error === undefined && failure?.connection === connection) failure = undefined;
  };
  return {
    wrap: (connection, model) => ({
      stream: (request, options) => ({
        [Symbol.asyncIterator]: () => new WatchedCall(model, request, options, (error) => report(connection, error)),
      }),
    }),
    failure: () => failure,
    forget: () => {
      failure = undefined;
    },
  };
}

type Result = IteratorResult<ModelEvent, undefined>;

class WatchedCall implements AsyncIterator<ModelEvent, undefined> {
  readonly #call: AsyncIterator<ModelEvent, undefined>;
  readonly #report: (error?: unknown) => void;
  #answered = false;

  constructor(model: Model, request: ModelRequest, options: ModelCallOptions, report: (error?: unknown) => void) {
    this.#call = model.stream(request, options)[Symbol.asyncIterator]();
    this.#report = report;
  }

  next(): Promise<Result> {
    // A credential is accepted or refused before the first chunk; after that the call needs no further promise.
    return this.#answered ? this.#call.next() : this.#first();
  }

  async return(): Promise<Result> {
    await this.#call.return?.();
    return { done: true, value: undefined };
  }

  async #first(): Promise<Result> {
    try {
      const result = await this.#call.next();
      this.#answered = true;
      this.#report();
      return result;
    } catch (error) {
      this.#report(error);
      throw error;
    }
  }
}
