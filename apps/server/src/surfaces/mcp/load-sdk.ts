import type * as Sdk from "@modelcontextprotocol/server";

/** The SDK's module. */
export type ServerSdk = typeof Sdk;

/** Loads the SDK at its first use: a service whose `mcp.expose` is off saves its memory. */
export function loadServerSdk(): Promise<ServerSdk> {
  return import("@modelcontextprotocol/server");
}
