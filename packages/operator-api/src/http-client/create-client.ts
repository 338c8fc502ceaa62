import type { Method, RouteDefinition } from "../route/index.ts";
import type { ApiClient, CallOptions } from "./client-types.ts";
import { OperatorApiError } from "./operator-api-error.ts";

/** The address of the API and the credential. */
export interface ClientOptions {
  /** Of the service, or of a proxy in front of it: `http://127.0.0.1:7870`, `/agents/peer`. Default: the page's origin. */
  readonly baseUrl?: string;
  /** The operator's token, or a function that returns it, called for each request. */
  readonly token?: string | (() => string | undefined);
  /** Default: the runtime's. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

interface AnyCall extends CallOptions {
  readonly params?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string | number | boolean | undefined };
  readonly body?: unknown;
}

/** Makes a client of an API from its definitions' type alone; for any runtime with `fetch`. */
export function createClient<TDefinition extends RouteDefinition>(options: ClientOptions = {}): ApiClient<TDefinition> {
  const send = options.fetch ?? ((url, init) => fetch(url, init));
  const base = (options.baseUrl ?? "").replace(/\/+$/, "");
  const ask =
    (method: Method) =>
    async (path: string, call: AnyCall = {}): Promise<unknown> => {
      const { signal, body, form } = call;
      const response = await send(base + pathOf(path, call), {
        method,
        headers: headersOf(options.token, call),
        ...(form !== undefined ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      if (!response.ok) throw await errorOf(response);
      if (response.status === 204) return undefined;
      return isJson(response) ? response.json() : response;
    };
  // The types are those of the definitions; what is sent is the same for all of them.
  return {
    get: ask("GET"),
    post: ask("POST"),
    put: ask("PUT"),
    patch: ask("PATCH"),
    delete: ask("DELETE"),
  } as unknown as ApiClient<TDefinition>;
}

function pathOf(path: string, { params = {}, query = {} }: AnyCall): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const sent = Object.entries(query).flatMap<[string, string]>(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return sent.length === 0 ? filled : `${filled}?${new URLSearchParams(sent)}`;
}

function headersOf(token: ClientOptions["token"], { headers, idempotencyKey, body }: AnyCall): Record<string, string> {
  const bearer = typeof token === "function" ? token() : token;
  return {
    accept: "application/json, */*;q=0.5",
    ...(bearer === undefined || bearer === "" ? {} : { authorization: `Bearer ${bearer}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...headers,
  };
}

async function errorOf(response: Response): Promise<OperatorApiError> {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    // A proxy's page, or no body at all: there is the status alone.
  }
  return new OperatorApiError(response.status, body, Number.isFinite(retryAfter) ? retryAfter : undefined);
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/json") === true;
}
