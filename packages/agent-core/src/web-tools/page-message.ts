/** What the page thread is given. */
export type PageJob =
  | { readonly kind: "html"; readonly html: string; readonly url: string }
  | { readonly kind: "pdf"; readonly bytes: Uint8Array };

/** What a page says. Either may be blank. */
export interface PageText {
  readonly title: string;
  readonly text: string;
}

/** What the page thread answers; undefined when it could not read the page. */
export type PageReply = PageText | undefined;
