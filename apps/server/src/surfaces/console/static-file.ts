import { createHash } from "node:crypto";
import { open, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";

export interface StaticFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Strong entity tag over the content; file times are meaningless in an installed package. */
  readonly etag: string;
}

/** Larger files are not served: every file of the console is far smaller. */
const maxFileBytes = 32 * 1024 * 1024;

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".ico": "image/x-icon",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/**
 * Reads the file at a URL path below `directory`; undefined when there is none to serve. Paths are checked segment
 * by segment: none may be empty, a dot name, or hold a separator, a colon or NUL, and the file's real path must be
 * inside, so neither an encoded path nor a link leads out.
 */
export async function readStaticFile(directory: string, urlPath: string): Promise<StaticFile | undefined> {
  const segments = decodeSegments(urlPath);
  if (segments === undefined) return undefined;
  try {
    const root = await realpath(directory);
    const path = await realpath(join(root, ...segments));
    if (!path.startsWith(root + sep)) return undefined;
    const file = await open(path, "r");
    try {
      const status = await file.stat();
      if (!status.isFile() || status.size > maxFileBytes) return undefined;
      const bytes = await file.readFile();
      const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
      return { bytes, contentType: contentTypeOf(path), etag };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The type of a file by the end of its name. */
export function contentTypeOf(path: string): string {
  return contentTypes[extname(path).toLowerCase()] ?? "application/octet-stream";
}

function decodeSegments(urlPath: string): readonly string[] | undefined {
  let decoded: string[];
  try {
    decoded = urlPath.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
  return decoded.every((segment) => /^[^./\\:\0][^/\\:\0]*$/.test(segment)) ? decoded : undefined;
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return ["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG", "EACCES"].includes(code ?? "");
}
