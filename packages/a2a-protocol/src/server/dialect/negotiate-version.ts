import { A2AError } from "../../error/index.ts";
import type { Dialect } from "./dialect.ts";

const NAME = "A2A-Version";

/** The version a request asks for (A1): header, else query, else 0.3. */
export function versionAsked(request: Request): string {
  return request.headers.get(NAME) || queryVersion(request.url) || "0.3";
}

/** The dialect of a version, of which only major and minor count (A1); undefined where it is not served. */
export function dialectOf(version: string, dialects: readonly Dialect[]): Dialect | undefined {
  const wanted = /^(\d+\.\d+)(\.\d+)?$/.exec(version.trim())?.[1];
  return dialects.find((candidate) => candidate.version === wanted);
}

/** -32009, naming what is served. */
export function versionNotSupported(asked: string, dialects: readonly Dialect[]): A2AError {
  const supportedVersions = dialects.map((candidate) => candidate.version);
  return new A2AError("VERSION_NOT_SUPPORTED", `Protocol version ${asked.slice(0, 20)} is not served`, {
    data: { supportedVersions },
  });
}

function queryVersion(url: string): string | null {
  return url.includes("?") ? new URL(url).searchParams.get(NAME) : null;
}
