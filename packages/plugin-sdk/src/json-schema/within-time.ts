import { createContext, Script } from "node:vm";

/** Runs `validate` with a time limit that also ends a pattern that backtracks for ever. @throws when it is reached */
export function withinTime<T>(milliseconds: number, validate: () => T): T {
  const context = createContext({ validate });
  return new Script("validate()").runInContext(context, { timeout: milliseconds }) as T;
}
