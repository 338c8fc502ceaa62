import type { Caller } from "../executor.ts";
import { JSON_HEADERS } from "./answer-headers.ts";
import type { SharedParts } from "./endpoint-parts.ts";
import type { Exchange } from "./exchange.ts";
import { activatedExtensions } from "./extensions.ts";
import type { Framing } from "./framing.ts";

/** What answering a request needs of it. Throws `A2AError` EXTENSION_SUPPORT_REQUIRED. */
export function openExchange(
  { card }: SharedParts,
  request: Request,
  caller: Caller,
  { idJson, dialect }: Framing,
): Exchange {
  const extensions = activatedExtensions(request, card);
  const traceparent = request.headers.get("traceparent");
  const call = {
    caller,
    version: dialect.version,
    ...(extensions && { extensions }),
    ...(traceparent !== null && { traceparent }),
  };
  const headers = extensions ? { ...JSON_HEADERS, [dialect.extensionsHeader]: extensions.join(", ") } : JSON_HEADERS;
  return { request, idJson, dialect, call, headers };
}
