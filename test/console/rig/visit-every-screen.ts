import type { Page } from "playwright-core";
import { settle } from "./settle.ts";

/** More screens than this are a mistake of whoever looks for them. */
const MOST = 60;

/**
 * Visits every screen of the console that links lead to, from its first one on: the rail's, tabs with addresses of their own,
 * and of things that have a page each, one of a kind. `look` is called with each, by its address below `root`.
 */
export async function visitEveryScreen(
  page: Page,
  root: string,
  look: (screen: string) => Promise<void>,
): Promise<readonly string[]> {
  await page.goto(root);
  await settle(page);
  const seen = new Set<string>();
  const open: string[] = [new URL(page.url()).pathname];
  for (let path = open.shift(); path !== undefined && seen.size < MOST; path = open.shift()) {
    const kind = kindOf(path);
    if (seen.has(kind)) continue;
    seen.add(kind);
    if (new URL(page.url()).pathname !== path) await page.goto(new URL(path, root).href);
    await settle(page);
    await look(path.slice(new URL(root).pathname.length));
    open.push(...(await linksOn(page, new URL(root).pathname)));
  }
  return [...seen];
}

/** The address with what names one of many left out. */
function kindOf(path: string): string {
  return path
    .split("/")
    .map((part) => (/\d|^.{24,}$/.test(part) ? ":id" : part))
    .join("/");
}

function linksOn(page: Page, root: string): Promise<string[]> {
  return page.evaluate((inside) => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>("a[href]:not([download], [target])")];
    const paths = links.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname);
    return [...new Set(paths)].filter((path) => path.startsWith(inside) && path.length > inside.length);
  }, root);
}
