import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Markdown as HTML, without tags of its own, images and footnotes. Its time grows faster than a text's markers. */
export function parseMarkdown(text: string): string {
  return micromark(text, {
    allowDangerousHtml: false,
    allowDangerousProtocol: false,
    extensions: [gfm(), { disable: { null: ["labelStartImage", "gfmFootnoteCall", "gfmFootnoteDefinition"] } }],
    htmlExtensions: [gfmHtml()],
  });
}
