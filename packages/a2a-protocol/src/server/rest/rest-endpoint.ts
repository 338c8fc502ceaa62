/** HTTP+JSON: the operations by method and path (A2). Holds no state; what is open it counts with the others. */

import { isJsonContentType, readBody } from "../../json-rpc/index.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { dialectOf, versionAsked, versionNotSupported } from "../dialect/negotiate-version.ts";
import type { SharedParts } from "../exchange/endpoint-parts.ts";
import { giveWay } from "../exchange/give-way.ts";
import { openExchange } from "../exchange/open-exchange.ts";
import { refusal } from "../exchange/refusal.ts";
import type { Caller } from "../executor.ts";
import { runOperation } from "../operation/run-operation.ts";
import { restDialect } from "./rest-dialect.ts";
import { restParams } from "./rest-params.ts";
import { restTarget } from "./rest-path.ts";

/**
 * Answers one request for an authenticated caller; `guardStream` as in the endpoint's options, for this request. Paths
 * that are none are answered 404. Never rejects.
 */
export type RestEndpoint = (
  request: Request,
  caller: Caller,
  guardStream?: () => Response | undefined,
) => Promise<Response>;

/** An endpoint's path and protocol version. */
export interface RestMount {
  /** Before the protocol's paths: "/a2a", "/v1", "". */
  readonly prefix: string;
  /** true: version 0.3 only; another one asked for is -32009. */
  readonly onlyV03?: boolean;
}

/** An endpoint over parts that other endpoints share. */
export function restEndpointOver(parts: SharedParts, { prefix, onlyV03 = false }: RestMount): RestEndpoint {
  const { failures, card, bodyLimitBytes, isCrossSite } = parts;
  const [v03, v10] = parts.dialects.map(restDialect) as [Dialect, Dialect];
  const dialects = onlyV03 ? [v03] : [v03, v10];

  /** The text of a POST's body, or its refusal. Without content type it has none, as official clients subscribe. */
  async function bodyOf(request: Request): Promise<string | Response> {
    const type = request.headers.get("content-type");
    const isBare = type === null && !isCrossSite(request);
    // What a browser sends across sites without asking has another type, or none (S4).
    const wrongType = () => refusal(415, "The content type must be application/json");
    if (!isBare && !isJsonContentType(type)) return wrongType();
    const body = await readBody(request, isBare ? 0 : bodyLimitBytes).catch(() => null);
    if (body === null) return refusal(400, "The body broke off");
    if (body !== undefined) return body;
    return isBare ? wrongType() : refusal(413, `The body is longer than ${bodyLimitBytes} bytes`);
  }

  async function answer(request: Request, caller: Caller, guardStream?: () => Response | undefined) {
    const { pathname, searchParams } = new URL(request.url);
    const target = pathname.startsWith(prefix) ? restTarget(request.method, pathname.slice(prefix.length)) : undefined;
    if (target === undefined) return refusal(404, "There is nothing at this path");
    if ("allowed" in target) {
      return refusal(405, `Use ${target.allowed.join(" or ")}`, { allow: target.allowed.join(", ") });
    }
    const text = request.method === "POST" ? await bodyOf(request) : "";
    if (text instanceof Response) return text;
    const asked = versionAsked(request);
    const known = dialectOf(asked, dialects);
    const framing = { idJson: undefined, dialect: known ?? dialects.at(-1) ?? v03 };
    try {
      if (known === undefined) throw versionNotSupported(asked, dialects);
      const params = restParams(target, framing.dialect.version, text, searchParams);
      const others = giveWay(text, parts.timers);
      if (others !== undefined) await others;
      const exchange = openExchange(parts, request, caller, framing);
      const own = guardStream === undefined ? parts : { ...parts, guardStream };
      return await runOperation(own, exchange, target.operation, params, card);
    } catch (error) {
      return failures.reply(framing, error);
    }
  }

  return (request, caller, guardStream) =>
    answer(request, caller, guardStream).catch((error: unknown) =>
      failures.reply({ idJson: undefined, dialect: v03 }, error),
    );
}
