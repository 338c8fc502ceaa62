/** The paths of HTTP+JSON (A2A 1.0.1 and 0.3.0 "Methods", ruling A2), told apart below wherever they are mounted. */
import type { Operation } from "./dialect.ts";

/** What a method and a path ask for. */
export interface RestTarget {
  readonly operation: Operation;
  /** The task named in the path. */
  readonly id?: string;
}

/** A path that exists, under other methods. */
export interface OtherMethods {
  readonly allowed: readonly string[];
}

/**
 * The target of a request, or what the path allows instead, or undefined where there is nothing. `path` begins with a
 * slash; one at its end is tolerated. HEAD is GET, but for streams.
 */
export function restTarget(method: string, path: string): RestTarget | OtherMethods | undefined {
  const names = segments(path);
  if (names === undefined) return undefined;
  const row = rowOf(names);
  if (row === undefined) return undefined;
  const { operation, allowed, id } = row;
  const asked = method === "HEAD" && operation !== "subscribe" ? "GET" : method;
  if (!allowed.includes(asked)) return { allowed };
  return { operation, ...(id !== undefined && { id }) };
}

interface Row extends RestTarget, OtherMethods {}

function rowOf([first = "", second, third, ...more]: readonly string[]): Row | undefined {
  if (more.length > 1) return undefined;
  if (second === undefined) return topLevel(first);
  if (first !== "tasks") return undefined;
  if (third !== undefined) return pushRow(second, third, more[0]);
  const action = /^(.+):(cancel|subscribe)$/s.exec(second);
  if (action?.[2] === "cancel") return { operation: "cancel", allowed: ["POST"], id: action[1]! };
  // The prose of the protocol says POST, its definition says GET; both are taken.
  if (action?.[2] === "subscribe") return { operation: "subscribe", allowed: ["GET", "POST"], id: action[1]! };
  return { operation: "get", allowed: ["GET"], id: second };
}

function topLevel(name: string): Row | undefined {
  switch (name) {
    case "message:send":
      return { operation: "send", allowed: ["POST"] };
    case "message:stream":
      return { operation: "stream", allowed: ["POST"] };
    case "tasks":
      return { operation: "list", allowed: ["GET"] };
    case "extendedAgentCard":
    case "card":
      return { operation: "card", allowed: ["GET"] };
    default:
      return undefined;
  }
}

/** Document 1 names its alias in the singular. */
function pushRow(id: string, name: string, config: string | undefined): Row | undefined {
  if (name !== "pushNotificationConfigs" && name !== "pushNotificationConfig") return undefined;
  return { operation: "push", allowed: config === undefined ? ["GET", "POST"] : ["GET", "DELETE"], id };
}

function segments(path: string): readonly string[] | undefined {
  try {
    const names = path.replace(/\/$/, "").split("/").slice(1).map(decodeURIComponent);
    return names.length > 0 && names.every((name) => name !== "") ? names : undefined;
  } catch {
    return undefined;
  }
}
