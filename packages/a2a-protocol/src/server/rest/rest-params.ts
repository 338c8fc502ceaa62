/** The params of HTTP+JSON, put together as JSON-RPC would have them. */
import { A2AError } from "../../error/index.ts";
import { parseJson } from "../../json-rpc/index.ts";
import type { ProtocolVersion } from "../call-context.ts";
import type { RestTarget } from "./rest-path.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Parameters of a query that are no text. */
const NUMBERS = ["historyLength", "history_length", "pageSize", "page_size"];
const TRUTHS = ["includeArtifacts", "include_artifacts"];

/**
 * The body's fields, or the query's, and what the path names. `text`: the body, "" where there is none. Throws
 * `A2AError` PARSE_ERROR, and INVALID_REQUEST for a body that is no object.
 */
export function restParams(
  target: RestTarget,
  version: ProtocolVersion,
  text: string,
  query: URLSearchParams,
): unknown {
  const body = text === "" ? undefined : parseJson(text);
  if (target.operation === "send" || target.operation === "stream") return body ?? {};
  if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body))) {
    throw new A2AError("INVALID_REQUEST", "The body must be a JSON object");
  }
  const asked = [...query].map(([name, value]) => [name, fromQuery(name, value)]);
  const fields: Fields = { ...Object.fromEntries(asked), ...body };
  return { ...fields, ...namesIn(target, version, fields) };
}

/** What the path names, under the names that the version's params have for it. */
function namesIn({ operation, id, config }: RestTarget, version: ProtocolVersion, fields: Fields): Fields {
  switch (operation) {
    case "push-set":
      // The body of the alias (B17) is either: the config, or the params of `set` without the task.
      return {
        taskId: id,
        ...(version === "0.3" && !("pushNotificationConfig" in fields) && { pushNotificationConfig: fields }),
      };
    case "push-get":
    case "push-list":
    case "push-delete":
      return version === "0.3"
        ? { taskId: id, id: undefined, pushNotificationConfigId: config }
        : { taskId: id, id: config };
    default:
      return id === undefined ? {} : { id };
  }
}

function fromQuery(name: string, value: string): unknown {
  if (NUMBERS.includes(name) && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (TRUTHS.includes(name) && (value === "true" || value === "false")) return value === "true";
  return value;
}
