import type { GenericSchema, InferInput, InferOutput } from "valibot";
import type { Frozen, Reply, ReplyInput } from "./reply.ts";

/** The methods of the operator API. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A failure a route can answer with, beside those every route has: what it means, and its shape if it is not a text. */
export type Failure = string | { readonly description: string; readonly schema: GenericSchema };

/**
 * Everything about a route but what it does (O2): validation, the OpenAPI document, the catalogue
 * of operations and the typed client are readings of it.
 */
export interface RouteDefinition {
  /** Dotted and stable: `config.read`. The OpenAPI operation id and the name in `GET /api/operations`. */
  readonly name: string;
  readonly method: Method;
  /** As OpenAPI writes it: `/api/config/presets/{name}`. A part in braces is one segment, 1 to 512 characters. */
  readonly path: `/api/${string}`;
  /** The resource it belongs to, for people: `Configuration`. */
  readonly tag: string;
  /** One sentence without its full stop. */
  readonly summary: string;
  /** What a caller needs beyond the summary; Markdown. */
  readonly description?: string;
  /** For everyone, with or without a credential (`GET /api/events` alone). Default: the operator only. */
  readonly public?: true;
  /**
   * It decides for the operator: approves, remembers, waives approvals, or changes what protects the machine. On an
   * instance without a credential other users of the machine get 403 (F15). A text: only in this case, after "where"; the
   * handler then asks `Call.refuseDecision`.
   */
  readonly decides?: true | string;
  /** Default: every method but GET. */
  readonly mutates?: boolean;
  /** What the parts of the path in braces are. */
  readonly params?: { readonly [name: string]: string };
  /** Of the query's strings; a parameter sent twice is a list. Unknown ones are ignored. */
  readonly query?: GenericSchema;
  /** The query names files: its strings may hold control characters, and the handler answers for them. */
  readonly namesFiles?: true;
  /** Of the JSON body. Unknown fields are ignored unless the schema refuses them. */
  readonly body?: GenericSchema;
  /** The body may be left out; the schema then gets `{}`. */
  readonly bodyOptional?: true;
  /**
   * The body may also be `multipart/form-data`: one part `file`, of so many bytes at most, the other parts the fields of
   * `body`. Such a request is not repeated by its idempotency key. A body of type `alone` is the file by itself.
   */
  readonly upload?: { readonly maxBytes: number; readonly alone?: string };
  readonly reply: Reply;
  /** The handler may return `accepted(value)`, answered 202: when, and of which schema. */
  readonly acceptedWhen?: { readonly when: string; readonly schema: GenericSchema };
  /** The handler may return undefined, answered 204: when. */
  readonly emptyWhen?: string;
  /** By status. 401, 403, 413, 415, 422 and 500 are implied. */
  readonly failures?: { readonly [status: number]: Failure };
  /**
   * For a POST: `replayed` (default) stores the answer and sends it again for a repeated `Idempotency-Key` (A15).
   * `own`: the handler stores the key itself. `status-only`: the answer holds what must not be stored, so only its status
   * is; a repetition is refused with 409.
   */
  readonly idempotency?: "replayed" | "own" | "status-only";
  /** For the document. Checked against the schemas by a test. */
  readonly example?: { readonly query?: object; readonly body?: unknown; readonly reply?: unknown };
}

/** The names in braces of a path. */
export type PathNames<TPath extends string> = TPath extends `${string}{${infer TName}}${infer TRest}`
  ? TName | PathNames<TRest>
  : never;

/** The values of a path's names. */
export type PathParams<TDefinition extends RouteDefinition> = {
  readonly [TName in PathNames<TDefinition["path"]>]: string;
};

type OutputOf<TSchema> = TSchema extends GenericSchema ? InferOutput<TSchema> : undefined;

/** What a client sends for a schema of a definition. */
export type InputOf<TSchema> = TSchema extends GenericSchema ? InferInput<TSchema> : undefined;

/** Identifies one request of one idempotency key (A15). */
export interface RequestKey {
  /** 32 hexadecimal digits, a UUID 7 without its dashes. */
  readonly key: string;
  readonly digest: string;
  /** The request was begun before; how far it came is unknown. */
  readonly begun: boolean;
}

/** Who asks for something that may decide for the operator. */
export interface Decider {
  /** Why this connection may not decide for the operator; undefined: it may (F15). */
  refuseDecision(): Promise<string | undefined>;
}

/** A file that came with a request. */
export interface Upload {
  /** As it was sent: it names no file here. */
  readonly name: string;
  /** Blank: not declared. */
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A request that passed validation. */
export interface Call<TDefinition extends RouteDefinition = RouteDefinition> extends Decider {
  readonly params: PathParams<TDefinition>;
  readonly query: OutputOf<TDefinition["query"]>;
  readonly body: OutputOf<TDefinition["body"]>;
  /** Of a route that takes one; undefined: none came. */
  readonly upload?: Upload | undefined;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  readonly headers: Headers;
  /**
   * Of a POST with an idempotency key. What the handler makes is committed together with it, or under a name that comes
   * of it: the handler may be called again with it after a crash, and must return the same then.
   */
  readonly requestKey?: RequestKey | undefined;
  /** `anonymous` and `federation` reach public routes only. */
  readonly caller: "operator" | "federation" | "anonymous";
}

/** An answer 202: what was asked is done later. */
export class Accepted<TValue> {
  readonly value: TValue;

  constructor(value: TValue) {
    this.value = value;
  }
}

/** What a handler returns. */
export type Result<TDefinition extends RouteDefinition> =
  | ReplyInput<TDefinition["reply"]>
  | (TDefinition["acceptedWhen"] extends { readonly schema: infer TSchema extends GenericSchema }
      ? Accepted<Frozen<InferInput<TSchema>>>
      : never)
  | (TDefinition["emptyWhen"] extends string ? undefined : never);

/** Does what a route promises. Throws `Problem` to refuse. */
export type Handler<TDefinition extends RouteDefinition> = (
  call: Call<TDefinition>,
) => Result<TDefinition> | Promise<Result<TDefinition>>;

/** A definition with what answers it. */
export interface ServedRoute {
  readonly definition: RouteDefinition;
  readonly handle: (call: Call) => unknown;
}

type NoOthers<T> = { readonly [TKey in Exclude<keyof T, keyof RouteDefinition>]: never };

/** Types a definition to the letter. Throws for one that contradicts itself: a fault in the program. */
export function defineRoute<const T extends RouteDefinition>(definition: T & NoOthers<T>): T {
  const { name, method, path, body, params = {} } = definition as T;
  const names = namesOf(path);
  const described = Object.keys(params);
  if (described.some((one) => !names.includes(one))) throw new Error(`${name}: params describe what ${path} lacks`);
  if (body !== undefined && (method === "GET" || method === "DELETE"))
    throw new Error(`${name}: ${method} has no body`);
  return definition;
}

/** The names in braces of a path, in order. */
export function namesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
}

/** Joins a definition with its handler. */
export function serve<const T extends RouteDefinition>(definition: T, handler: Handler<T>): ServedRoute {
  return { definition, handle: handler as (call: Call) => unknown };
}

/** Whether an operation changes something. */
export function isMutation({ method, mutates }: RouteDefinition): boolean {
  return mutates ?? method !== "GET";
}
