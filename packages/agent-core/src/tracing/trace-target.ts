import type { TracingSectionValue } from "./tracing-section.ts";

/** The variables of the environment about tracing; a blank counts as unset. */
export interface TracingEnvironment {
  readonly host: string | undefined;
  readonly publicKey: string | undefined;
  readonly secretKey: string | undefined;
}

/** Where traces go and with what. */
export interface TraceTarget {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

const DEFAULT_HOST = "http://host.docker.internal:3001";

/**
 * Decides the target (B60 `tracing`): a complete pair of keys in the environment wins over the configured one,
 * and goes to the environment's host or the default one, never to a host from the configuration.
 */
export function traceTarget(configured: TracingSectionValue, environment: TracingEnvironment): TraceTarget {
  const { host, publicKey, secretKey } = environment;
  const own = host ?? DEFAULT_HOST;
  if (publicKey !== undefined && secretKey !== undefined) return target(own, publicKey, secretKey);
  return target(configured.host || own, configured.public_key, configured.secret_key);
}

function target(host: string, publicKey: string, secretKey: string): TraceTarget {
  const keyed = publicKey !== "" && secretKey !== "";
  const base = host.replace(/\/+$/, "");
  const bare = new URL(base).pathname === "/";
  const path = bare && keyed ? "/api/public/otel/v1/traces" : base.endsWith("/v1/traces") ? "" : "/v1/traces";
  const credentials = Buffer.from(`${publicKey}:${secretKey}`).toString("base64");
  return { url: `${base}${path}`, headers: keyed ? { authorization: `Basic ${credentials}` } : {} };
}
