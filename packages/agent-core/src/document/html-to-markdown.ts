/** Runs in a thread of its own: 0.9 MB of HTML take more than a second. */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { boundedNesting } from "./bounded-nesting.ts";
import type { PageText } from "./page-text.ts";

/** An article with less text than this is taken for a misjudgement, and the whole page is given. */
const LEAST_ARTICLE = 200;

const NOISE = "script, style, noscript, template, iframe, object, embed, svg, canvas, link, meta, form, dialog";

type PageDocument = ReturnType<typeof parseHTML>["document"];

function absolute(document: PageDocument, base: string): void {
  for (const [selector, attribute] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const url = URL.parse(element.getAttribute(attribute) ?? "", base);
      if (url !== null && (url.protocol === "http:" || url.protocol === "https:"))
        element.setAttribute(attribute, url.href);
      else element.removeAttribute(attribute);
    }
  }
}

/** What is asked of an element: the package is built without the types of a browser. */
interface ListElement {
  readonly children: Iterable<object>;
  readonly parentNode: object | null;
  readonly nextSibling: object | null;
  getAttribute(name: string): string | null;
}

/** Numbers of the items of lists, counted once a list: to look for each among its siblings takes a minute where there are thousands. */
function numberedItems(): TurndownService.Rule {
  const places = new WeakMap<object, Map<object, number>>();
  const placeOf = (item: ListElement, list: ListElement): number => {
    const known = places.get(list) ?? new Map([...list.children].map((child, at) => [child, at]));
    places.set(list, known);
    return known.get(item) ?? 0;
  };
  return {
    filter: (node) => node.nodeName === "LI" && node.parentNode?.nodeName === "OL",
    replacement(content, node) {
      const item = node as unknown as ListElement;
      const list = item.parentNode as ListElement;
      const start = Number.parseInt(list.getAttribute("start") ?? "1", 10);
      const mark = `${(Number.isSafeInteger(start) ? start : 1) + placeOf(item, list)}.  `;
      const isParagraph = content.endsWith("\n");
      const text = content.replace(/^\n+|\n+$/g, "") + (isParagraph ? "\n" : "");
      const end = item.nextSibling === null ? "" : "\n";
      return `${mark}${text.replaceAll("\n", `\n${" ".repeat(mark.length)}`)}${end}`;
    },
  };
}

function parse(html: string, url: string): PageDocument {
  // The parser makes no body of its own: neither for a fragment, nor for a page that leaves the tag out.
  const bare = /<body[\s>]/i.test(html) ? undefined : html.replaceAll(/<\/?(?:html|head)(?:\s[^>]{0,1000})?>/gi, "");
  const { document } = parseHTML(bare === undefined ? html : `<html><body>${bare}</body></html>`);
  const base = URL.parse(document.querySelector("base[href]")?.getAttribute("href") ?? "", url)?.href ?? url;
  for (const element of document.querySelectorAll(NOISE)) element.remove();
  absolute(document, base);
  return document;
}

/** The readable part of a page as markdown, links absolute; the whole page where no article stands out. */
export function htmlToMarkdown(page: string, url: string): PageText {
  const html = boundedNesting(page);
  const document = parse(html, url);
  const title = document.querySelector("title")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  // In a fragment it stands in the body.
  for (const element of document.querySelectorAll("title")) element.remove();
  const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.addRule("numberedItem", numberedItems());
  const markdown = (html: string): string => {
    // Turndown's own parser needs a document; ours is given as a node.
    const holder = parseHTML(`<html><body><div>${html}</div></body></html>`).document.querySelector("div");
    return turndown
      .turndown(holder as unknown as TurndownService.Node)
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  };
  // Readability takes the document apart, so it is given one of its own.
  const article = new Readability(parse(html, url) as never, { serializer: (node) => node }).parse();
  const content = article?.content as { readonly innerHTML: string } | null | undefined;
  const isArticle = (article?.textContent ?? "").trim().length >= LEAST_ARTICLE && content !== null;
  const body = isArticle && content !== undefined ? content.innerHTML : (document.body?.innerHTML ?? "");
  return { title: (article?.title ?? "").trim() || title, text: markdown(body) };
}
