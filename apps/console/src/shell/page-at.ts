/** The page at a path: `…/app/docs` is the reference of the operator API, everything else the welcome page. */
export function pageAt(pathname: string): "docs" | "welcome" {
  return /\/app\/docs$/.test(pathname) ? "docs" : "welcome";
}
