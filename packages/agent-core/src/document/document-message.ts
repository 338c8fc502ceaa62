/** What the document thread and its host say to each other. */
import type { DocumentErrorCode } from "./document-error.ts";
import type { DocumentType } from "./document-type.ts";

/** A document as it came. */
export interface DocumentInput {
  readonly bytes: Uint8Array;
  /** Its file name, or blank. Only its ending is looked at. */
  readonly name: string;
  /** As it was declared, with parameters; blank: it was not. */
  readonly mediaType: string;
  /** Where it comes from, for the links of a page; blank: from no address. */
  readonly url: string;
}

/** A part of a document under one heading. */
export interface Section {
  /** Blank: it has none. */
  readonly heading: string;
  readonly text: string;
}

/** What was read of a document. */
export interface DocumentText {
  readonly type: DocumentType;
  /** Blank: it says none. */
  readonly title: string;
  readonly sections: readonly Section[];
}

/** A piece of a document of the size that is searched for. */
export interface Piece {
  /** Blank: none. */
  readonly heading: string;
  readonly text: string;
}

export type FromThread =
  | { readonly kind: "failed"; readonly code: DocumentErrorCode; readonly message: string }
  /** Texts to be cleaned, and given back in their order. */
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | {
      readonly kind: "cut";
      readonly type: DocumentType;
      readonly title: string;
      readonly chars: number;
      readonly pieces: number;
      readonly opening: string;
    }
  | { readonly kind: "pieces"; readonly pieces: readonly Piece[] };

export type ToThread =
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  /** Asks for so many further pieces. */
  | { readonly kind: "next"; readonly pieces: number };
