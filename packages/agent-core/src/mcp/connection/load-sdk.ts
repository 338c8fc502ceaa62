import type * as Sdk from "@modelcontextprotocol/client";

/** The SDK's module. */
export type McpSdk = typeof Sdk;

/** Loads the SDK at its first use: with what is behind it, it takes megabytes that a service without servers saves. */
export function loadSdk(): Promise<McpSdk> {
  return import("@modelcontextprotocol/client");
}
