import type { GenericSchema, InferOutput } from "valibot";
import type { InputOf, Method, PathNames, ReplyOutput, RouteDefinition } from "../route/index.ts";

export type RoutesOf<TDefinition extends RouteDefinition, TMethod extends Method> = Extract<
  TDefinition,
  { readonly method: TMethod }
>;

export type RouteAt<
  TDefinition extends RouteDefinition,
  TMethod extends Method,
  TPath extends string,
> = TDefinition extends { readonly method: TMethod; readonly path: TPath } ? TDefinition : never;

/** Query values as callers have them: what is a string on the wire may be a number or a switch here. */
type QueryValues<TQuery> = {
  readonly [TKey in keyof TQuery]: TQuery[TKey] extends string | undefined
    ? TQuery[TKey] | number | boolean
    : TQuery[TKey];
};

type ParamsPart<TDefinition extends RouteDefinition> = [PathNames<TDefinition["path"]>] extends [never]
  ? object
  : { readonly params: { readonly [TName in PathNames<TDefinition["path"]>]: string } };

type QueryPart<TQuery> = [TQuery] extends [undefined]
  ? object
  : Record<never, never> extends TQuery
    ? { readonly query?: QueryValues<TQuery> }
    : { readonly query: QueryValues<TQuery> };

type BodyPart<TDefinition extends RouteDefinition> = [InputOf<TDefinition["body"]>] extends [undefined]
  ? object
  : TDefinition["bodyOptional"] extends true
    ? { readonly body?: InputOf<TDefinition["body"]> }
    : TDefinition["upload"] extends object
      ? { readonly body?: InputOf<TDefinition["body"]> }
      : { readonly body: InputOf<TDefinition["body"]> };

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: { readonly [name: string]: string };
  /** For a route that takes a file: the body in parts, in place of `body`. */
  readonly form?: FormData;
  /** For a POST (A15): 1 to 255 characters. */
  readonly idempotencyKey?: string;
}

/** Everything a call of a route takes. */
export type CallOf<TDefinition extends RouteDefinition> = CallOptions &
  ParamsPart<TDefinition> &
  QueryPart<InputOf<TDefinition["query"]>> &
  BodyPart<TDefinition>;

/** The argument after the path: it may be left out where nothing in it is required. */
export type CallArguments<TDefinition extends RouteDefinition> =
  Record<never, never> extends CallOf<TDefinition>
    ? readonly [call?: CallOf<TDefinition>]
    : readonly [call: CallOf<TDefinition>];

/** What a call resolves with: the JSON, undefined for 204, the response itself for other media and streams. */
export type AnswerOf<TDefinition extends RouteDefinition> =
  | ReplyOutput<TDefinition["reply"]>
  | (TDefinition["acceptedWhen"] extends { readonly schema: infer TSchema extends GenericSchema }
      ? InferOutput<TSchema>
      : never)
  | (TDefinition["emptyWhen"] extends string ? undefined : never);

/** Asks the routes of one method. */
export type Ask<TDefinition extends RouteDefinition, TMethod extends Method> = <
  const TPath extends RoutesOf<TDefinition, TMethod>["path"],
>(
  path: TPath,
  ...call: CallArguments<RouteAt<TDefinition, TMethod, TPath>>
) => Promise<AnswerOf<RouteAt<TDefinition, TMethod, TPath>>>;

/** A client of an API made of these definitions. Rejects with `OperatorApiError`, or as `fetch` does. */
export interface ApiClient<TDefinition extends RouteDefinition> {
  readonly get: Ask<TDefinition, "GET">;
  readonly post: Ask<TDefinition, "POST">;
  readonly put: Ask<TDefinition, "PUT">;
  readonly patch: Ask<TDefinition, "PATCH">;
  readonly delete: Ask<TDefinition, "DELETE">;
}
