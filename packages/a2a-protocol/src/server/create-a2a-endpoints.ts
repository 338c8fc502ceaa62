import { createEndpointParts, type EndpointOptions } from "./exchange/endpoint-parts.ts";
import { type JsonRpcEndpoint, jsonRpcEndpointOver } from "./json-rpc/json-rpc-endpoint.ts";
import { type RestEndpoint, type RestMount, restEndpointOver } from "./rest/rest-endpoint.ts";

/** The endpoints of one agent, for a host with a router of its own. They share their streams' slots and their texts. */
export interface A2AEndpoints {
  readonly jsonRpc: JsonRpcEndpoint;
  /** HTTP+JSON under a prefix (A2). */
  rest(mount: RestMount): RestEndpoint;
}

/** Creates the endpoints of one executor; JSON-RPC and HTTP+JSON share limits, caches and streams. */
export function createA2AEndpoints(options: EndpointOptions): A2AEndpoints {
  const parts = createEndpointParts(options);
  return { jsonRpc: jsonRpcEndpointOver(parts), rest: (mount) => restEndpointOver(parts, mount) };
}
