import type { PageText, PdfLimits, PdfText } from "../document/index.ts";

/** What the page thread is given. */
export type PageJob =
  | { readonly kind: "html"; readonly html: string; readonly url: string }
  | { readonly kind: "pdf"; readonly bytes: Uint8Array; readonly limits?: PdfLimits }
  | { readonly kind: "duckduckgo"; readonly html: string };

/** An entry of a page of search results, unchanged. */
export interface SearchEntry {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A page of search results: its entries, or that it is a question to people, or no such page at all. */
export type SearchPage =
  | { readonly kind: "entries"; readonly entries: readonly SearchEntry[] }
  | { readonly kind: "challenge" | "unknown" };

/** The result of each kind of job. */
export interface PageAnswers {
  readonly html: PageText;
  readonly pdf: PdfText;
  readonly duckduckgo: SearchPage;
}

/** What the page thread answers; undefined when it could not read the page. */
export type PageReply = PageAnswers[keyof PageAnswers] | undefined;
