/** The paths of HTTP+JSON (A2A 1.0.1 and 0.3.0 "Methods", A2), relative to where they are mounted. */
import type { Operation } from "../dialect/dialect.ts";

/** What a method and a path ask for. */
export interface RestTarget {
  readonly operation: Operation;
  /** The task named in the path. */
  readonly id?: string;
  /** The push config named in the path. */
  readonly config?: string;
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
  const row = names === undefined ? undefined : rowOf(names);
  if (row === undefined) return undefined;
  const { methods, ...named } = row;
  const asked = method === "HEAD" && methods.GET !== "subscribe" ? "GET" : method;
  const operation = Object.hasOwn(methods, asked) ? methods[asked as keyof Row["methods"]] : undefined;
  return operation === undefined ? { allowed: Object.keys(methods) } : { operation, ...named };
}

interface Row extends Omit<RestTarget, "operation"> {
  readonly methods: { readonly [method in "GET" | "POST" | "DELETE"]?: Operation };
}

function rowOf([first = "", second, third, ...more]: readonly string[]): Row | undefined {
  if (more.length > 1) return undefined;
  if (second === undefined) return topLevel(first);
  if (first !== "tasks") return undefined;
  if (third !== undefined) return pushRow(second, third, more[0]);
  const action = /^(.+):(cancel|subscribe)$/s.exec(second);
  if (action?.[2] === "cancel") return { methods: { POST: "cancel" }, id: action[1]! };
  // The protocol's text has POST, its definition GET; both are accepted.
  if (action?.[2] === "subscribe") return { methods: { GET: "subscribe", POST: "subscribe" }, id: action[1]! };
  return { methods: { GET: "get" }, id: second };
}

function topLevel(name: string): Row | undefined {
  switch (name) {
    case "message:send":
      return { methods: { POST: "send" } };
    case "message:stream":
      return { methods: { POST: "stream" } };
    case "tasks":
      return { methods: { GET: "list" } };
    case "extendedAgentCard":
    case "card":
      return { methods: { GET: "card" } };
    default:
      return undefined;
  }
}

/** The alias (B17) is in the singular. */
function pushRow(id: string, name: string, config: string | undefined): Row | undefined {
  if (name !== "pushNotificationConfigs" && name !== "pushNotificationConfig") return undefined;
  if (config === undefined) return { methods: { GET: "push-list", POST: "push-set" }, id };
  return { methods: { GET: "push-get", DELETE: "push-delete" }, id, config };
}

function segments(path: string): readonly string[] | undefined {
  try {
    const names = path.replace(/\/$/, "").split("/").slice(1).map(decodeURIComponent);
    return names.length > 0 && names.every((name) => name !== "") ? names : undefined;
  } catch {
    return undefined;
  }
}
