/** What the vector thread is asked, and what it answers. */
import type { Calibration } from "./calibration.ts";
import type { EmbeddingEndpoint, EmbeddingFailure } from "./embed-texts.ts";
import type { VectorCode } from "./vector-code.ts";

/** Each kind of request, with its answer. */
export interface VectorRequests {
  /** What a model makes of unrelated texts. */
  calibrate: { readonly asked: { readonly endpoint: EmbeddingEndpoint }; readonly answer: Calibration };
  /** Vectors to store. */
  embed: {
    readonly asked: {
      readonly endpoint: EmbeddingEndpoint;
      readonly texts: readonly string[];
      readonly mean: Float32Array;
    };
    readonly answer: readonly VectorCode[];
  };
  /** Begins an index that is empty. */
  open: { readonly asked: { readonly dims: number }; readonly answer: null };
  /** Adds what the store had. */
  load: { readonly asked: { readonly rows: readonly (readonly [number, Uint8Array])[] }; readonly answer: null };
  /** Adds or replaces one. */
  set: { readonly asked: { readonly id: number; readonly signs: Uint8Array }; readonly answer: null };
  delete: { readonly asked: { readonly id: number }; readonly answer: null };
  /** The vector of a search, and the chunks that may fit it. */
  find: {
    readonly asked: {
      readonly endpoint: EmbeddingEndpoint;
      readonly text: string;
      readonly mean: Float32Array;
      readonly limit: number;
    };
    readonly answer: { readonly unit: Float32Array; readonly ids: readonly number[] };
  };
  /** Again for a vector that `find` made. */
  nearest: {
    readonly asked: { readonly unit: Float32Array; readonly mean: Float32Array; readonly limit: number };
    readonly answer: readonly number[];
  };
  /** The cosines of stored vectors with that of a search. */
  compare: {
    readonly asked: { readonly unit: Float32Array; readonly full: readonly Uint8Array[] };
    readonly answer: readonly number[];
  };
}

export type VectorRequestKind = keyof VectorRequests;

export interface VectorRequest<Kind extends VectorRequestKind = VectorRequestKind> {
  readonly number: number;
  readonly kind: Kind;
  readonly asked: VectorRequests[Kind]["asked"];
}

export interface VectorReply {
  readonly number: number;
  readonly answer?: unknown;
  readonly failure?: { readonly code: EmbeddingFailure; readonly message: string };
}
