/** The text of a page. Either may be blank. */
export interface PageText {
  readonly title: string;
  readonly text: string;
}

/** Where the reading of a PDF ends. */
export interface PdfLimits {
  readonly pages: number;
  /** Characters of text; the page on which they end is read whole. */
  readonly characters: number;
}

/** The text of a PDF, page after page. */
export interface PdfPages {
  readonly title: string;
  /** Of the pages that were read. */
  readonly texts: readonly string[];
  /** Pages that it has. */
  readonly pages: number;
}

/** The text of a PDF. */
export interface PdfText extends PageText {
  /** Pages that it has, and those whose text is given. */
  readonly pages: number;
  readonly pagesRead: number;
}
