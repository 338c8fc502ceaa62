import type { Page } from "playwright-core";
import type { WatchedPage } from "./console-rig.ts";
import { settle } from "./settle.ts";

/** More screens than this are a mistake of whoever looks for them. */
const MOST = 60;
/** Of pages of one kind that have names of their own, such as the sections of the settings: so many represent all. */
const OF_A_KIND = 2;

/**
 * Visits every screen of the console that links lead to, from its first one on: the rail's, tabs with addresses of their own,
 * and of things that have a page each, one of a kind. `look` is called with each, by its address below `root`. The
 * page goes there by itself; it is loaded once.
 */
export async function visitEveryScreen(
  { page, watch }: Pick<WatchedPage, "page" | "watch">,
  root: string,
  look: (screen: string) => Promise<void>,
): Promise<readonly string[]> {
  await page.goto(root);
  await settle(page, watch.inFlight);
  const seen = new Set<string>();
  const siblings = new Map<string, number>();
  const base = new URL(root).pathname;
  const open: string[] = [new URL(page.url()).pathname];
  for (let path = open.shift(); path !== undefined && seen.size < MOST; path = open.shift()) {
    const kind = kindOf(path);
    const parent = kind.slice(0, kind.lastIndexOf("/"));
    const few = kind.slice(base.length).split("/").length < 3 || (siblings.get(parent) ?? 0) < OF_A_KIND;
    if (seen.has(kind) || !few) continue;
    seen.add(kind);
    siblings.set(parent, (siblings.get(parent) ?? 0) + 1);
    if (new URL(page.url()).pathname !== path) {
      await go(page, path);
      await settle(page, watch.inFlight);
    }
    // An address that leads to another one's screen.
    const shown = new URL(page.url()).pathname;
    if (shown !== path && seen.has(kindOf(shown))) continue;
    seen.add(kindOf(shown));
    await look(path.slice(base.length));
    open.push(...(await linksOn(page, base)));
  }
  return [...seen];
}

async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((next) => {
    history.pushState({}, "", next);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
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
