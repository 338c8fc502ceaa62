/** Runs in the page thread. */
import { parseHTML } from "linkedom";
import type { SearchEntry, SearchPage } from "./page-message.ts";

const BASE = "https://html.duckduckgo.com/html/";

/** Entries read of one page; it has about ten. */
const MOST_ENTRIES = 50;

/** Where a link leads in the end, through one wrapping of the provider's; blank for advertisements and for no address. */
function destination(href: string, isWrapped = false): string {
  const url = URL.parse(href, BASE);
  if (url === null) return "";
  const isOwn = url.hostname === "duckduckgo.com" || url.hostname.endsWith(".duckduckgo.com");
  if (isOwn && url.pathname === "/y.js") return "";
  if (!isOwn || url.pathname !== "/l/") return url.href;
  const inside = url.searchParams.get("uddg") ?? "";
  return isWrapped || inside === "" ? "" : destination(inside, true);
}

const textOf = (element: { readonly textContent: string | null } | null): string => (element?.textContent ?? "").trim();

/**
 * Reads a page of html.duckduckgo.com: `challenge` when it asks whether a person is searching, `unknown` when it is no
 * page of results, which an empty list of them is.
 */
export function readDuckDuckGoPage(html: string): SearchPage {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  if (document.querySelector('[class*="anomaly"], #challenge-form') !== null) return { kind: "challenge" };
  const entries: SearchEntry[] = [];
  for (const result of document.querySelectorAll(".result")) {
    const link = result.querySelector("a.result__a[href]");
    const url = link === null ? "" : destination(link.getAttribute("href") ?? "");
    if (url === "" || result.classList.contains("result--ad")) continue;
    entries.push({ title: textOf(link), url, snippet: textOf(result.querySelector(".result__snippet")) });
    if (entries.length === MOST_ENTRIES) break;
  }
  const isResults = entries.length > 0 || document.querySelector("#links, .results, .no-results") !== null;
  return isResults ? { kind: "entries", entries } : { kind: "unknown" };
}
