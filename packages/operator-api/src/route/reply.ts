import type { GenericSchema, InferInput, InferOutput } from "valibot";

/** A JSON answer. */
export interface JsonReply<TSchema extends GenericSchema = GenericSchema> {
  readonly kind: "json";
  readonly status: 200 | 201 | 202;
  readonly schema: TSchema;
}

/** No body: 204. */
export interface EmptyReply {
  readonly kind: "empty";
  readonly status: 204;
}

/** A body that is no JSON, such as a CSV export. */
export interface MediaReply {
  readonly kind: "media";
  readonly status: 200;
  readonly contentType: string;
}

/** Server-sent events: each frame's `data` is the schema's value as JSON. */
export interface EventsReply<TSchema extends GenericSchema = GenericSchema> {
  readonly kind: "events";
  readonly status: 200;
  readonly schema: TSchema;
}

/** What a route answers when it does what it was asked. */
export type Reply = JsonReply | EmptyReply | MediaReply | EventsReply;

/** What a handler returns for a media or events reply. */
export interface MediaBody {
  readonly body: string | ReadableStream<Uint8Array>;
  readonly headers?: { readonly [name: string]: string };
}

/** JSON of this schema. The schema describes what is sent, so it has no transforms. */
export function json<TSchema extends GenericSchema>(
  schema: TSchema,
  status: 200 | 201 | 202 = 200,
): JsonReply<TSchema> {
  return { kind: "json", status, schema };
}

/** Nothing but the status 204. */
export function empty(): EmptyReply {
  return { kind: "empty", status: 204 };
}

/** A body of another media type. */
export function media(contentType: string): MediaReply {
  return { kind: "media", status: 200, contentType };
}

/** Server-sent events whose `data` is of this schema. */
export function events<TSchema extends GenericSchema>(schema: TSchema): EventsReply<TSchema> {
  return { kind: "events", status: 200, schema };
}

/** The same value where nothing may be changed, so that services can return their own lists. */
export type Frozen<T> = T extends readonly (infer TEntry)[]
  ? readonly Frozen<TEntry>[]
  : T extends object
    ? { readonly [TKey in keyof T]: Frozen<T[TKey]> }
    : T;

/** What a handler returns for a reply. */
export type ReplyInput<TReply> =
  TReply extends JsonReply<infer TSchema>
    ? Frozen<InferInput<TSchema>>
    : TReply extends EmptyReply
      ? undefined
      : MediaBody;

/** What a client receives for a reply. */
export type ReplyOutput<TReply> =
  TReply extends JsonReply<infer TSchema> ? InferOutput<TSchema> : TReply extends EmptyReply ? undefined : Response;
