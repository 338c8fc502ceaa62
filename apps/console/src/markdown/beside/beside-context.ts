import { createContext, type ReactElement, useContext } from "react";

/** What is opened beside a conversation, large. `title` is its heading. */
export type BesideDocument = { readonly title: string } & (
  | { readonly kind: "markdown"; readonly text: string }
  /** `language`: as the fence names it; blank for plain text. */
  | { readonly kind: "code"; readonly code: string; readonly language: string }
  /** A page of HTML that a model wrote. */
  | { readonly kind: "page"; readonly html: string }
  /** The texts of its rows, the head first. */
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  /**
   * What draws and scrolls itself. `isUnasked`: no person opened it, so it takes neither the focus nor the place of what one
   * opened.
   */
  | { readonly kind: "view"; readonly view: ReactElement; readonly isUnasked?: boolean }
);

/** The width from which there is room beside the conversation; below it the document is a sheet over it. */
export const ROOM = "(min-width: 68.75rem)";

/** Opens a document beside the conversation. */
export type OpenBeside = (document: BesideDocument) => void;

/** Undefined where nothing can be opened beside: then nothing offers it. */
export const BesideContext = createContext<OpenBeside | undefined>(undefined);

/** Returns the function that opens a document beside the conversation; undefined where there is no room for one. */
export function useOpenBeside(): OpenBeside | undefined {
  return useContext(BesideContext);
}
