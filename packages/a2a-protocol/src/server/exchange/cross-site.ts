/**
 * True where a browser reports that a page of another site sent the request, or may have: `Sec-Fetch-Site` is cross-site,
 * or `Origin` names another host than the one addressed. A request without either header comes from no page.
 */
export function isCrossSite({ headers, url }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === "cross-site") return true;
  const origin = headers.get("origin");
  if (origin === null || site === "same-origin") return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(url).host;
}
