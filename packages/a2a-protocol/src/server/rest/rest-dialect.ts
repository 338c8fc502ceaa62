import type { Dialect } from "../dialect/dialect.ts";

/**
 * A dialect for HTTP+JSON: a value of one of several types comes under one key in 0.3 too, which names the
 * keys as 1.0 does (A2A 0.3.0 "REST results").
 */
export function restDialect(dialect: Dialect): Dialect {
  if (dialect.version !== "0.3") return dialect;
  return {
    ...dialect,
    sent: (task, historyLength) => `{"task":${dialect.task(task, historyLength)}}`,
    // A body that is no object would be the only one.
    removed: "{}",
    frame: (frame) => `{"${Object.keys(frame)[0]}":${dialect.frame(frame)}}`,
  };
}
