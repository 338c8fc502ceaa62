import { A2AError } from "../error/index.ts";
import type { Dialect } from "./dialect.ts";

const NAME = "A2A-Version";

/**
 * The dialect a request asks for (ruling A1): header, else query, else 0.3; only major and minor count. Throws
 * `A2AError` VERSION_NOT_SUPPORTED for any other.
 */
export function negotiateVersion(request: Request, dialects: readonly Dialect[]): Dialect {
  const asked = request.headers.get(NAME) || queryVersion(request.url) || "0.3";
  const version = /^(\d+\.\d+)(\.\d+)?$/.exec(asked.trim())?.[1];
  const dialect = dialects.find((candidate) => candidate.version === version);
  if (dialect === undefined) {
    const served = dialects.map((candidate) => candidate.version);
    throw new A2AError("VERSION_NOT_SUPPORTED", `Protocol version ${asked.slice(0, 20)} is not served`, {
      data: { supportedVersions: served },
    });
  }
  return dialect;
}

function queryVersion(url: string): string | null {
  return url.includes("?") ? new URL(url).searchParams.get(NAME) : null;
}
