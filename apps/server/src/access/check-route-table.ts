import { methodsOf, pathsOf, type Route, type Tier } from "./route.ts";

/** An invalid row of the route table: an error in the program, not in its configuration. It stops the start. */
export class RouteTableError extends Error {
  readonly code = "route-table-invalid";

  constructor(row: string, reason: string) {
    super(`route ${row}: ${reason}`);
    this.name = "RouteTableError";
  }
}

const tiers: readonly Tier[] = ["public", "agent", "operator"];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Refuses a table with a row that has no tier (S2), no summary, no valid method or path, or that is a duplicate.
 * Throws `RouteTableError`. Types are checked again, for rows built by code that the compiler did not check.
 */
export function checkRouteTable(table: readonly Route[]): void {
  const seen = new Set<string>();
  for (const route of table) {
    const row = `${methodsOf(route).join("|")} ${pathsOf(route).join(" ")}`;
    if (!tiers.includes(route.tier)) throw new RouteTableError(row, "has no tier, so it does not mount");
    if (!route.summary?.trim()) throw new RouteTableError(row, "has no summary");
    if (methodsOf(route).length === 0 || pathsOf(route).length === 0) {
      throw new RouteTableError(row, "has no method or no path");
    }
    for (const path of pathsOf(route)) {
      if (!path.startsWith("/")) throw new RouteTableError(row, `path ${path} does not start with "/"`);
      for (const method of methodsOf(route)) {
        if (!methods.includes(method)) throw new RouteTableError(row, `unknown method ${method}`);
        const key = `${method} ${path}`;
        if (seen.has(key)) throw new RouteTableError(row, "is in the table twice");
        seen.add(key);
      }
    }
  }
}
