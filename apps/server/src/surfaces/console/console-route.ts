import { problem, type Route } from "../../access/index.ts";
import { consoleSecurityHeaders, frameSecurityHeaders } from "./security-headers.ts";
import { contentTypeOf, readStaticFile } from "./static-file.ts";

/** The location of the built console, or its absence. */
export interface ConsoleFiles {
  /** `none`: `/app` is 404 (`SVC_UI`, B73). */
  readonly ui: "console" | "none";
  /** Folder with `index.html` and `assets/`. */
  readonly directory: string;
}

/**
 * The static console at `/app/`, for everyone (B27): it holds no data, its API calls are guarded.
 * Built assets carry a hash in their names and are kept for good; the page itself is revalidated each time. A path that
 * names no file is a route of the page, so it gets the page; a missing asset is 404. The page names its assets relative
 * to itself, as a proxy may serve the service below an unknown prefix: so `/app` leads to `/app/` by a relative address, and a
 * page further down (`/app/chat/one`) gets names that lead as far up. An asset that the build packed (`index.js.gz`) goes
 * out packed to clients that accept gzip. What is below `frames/` has a policy of its own (`frameSecurityHeaders`).
 */
export function consoleRoute(files: ConsoleFiles): Route {
  return {
    method: "GET",
    path: ["/app", "/app/*"],
    tier: "public",
    summary: "Serves the operator's console",
    handler: async (request) => {
      if (files.ui === "none")
        return problem(404, "The console is switched off here (SVC_UI=none).", securityHeaders());
      const { pathname, search } = new URL(request.url);
      const path = pathname.replace(/^\/app\/?/, "");
      const asked = path === "" ? "index.html" : path;
      const isAsset = asked.startsWith("assets/");
      const isFrame = asked.startsWith("frames/");
      const packed =
        (isAsset || isFrame) && takesGzip(request) ? await readStaticFile(files.directory, `${asked}.gz`) : undefined;
      if (packed) {
        const unpacked = { ...packed, contentType: contentTypeOf(asked) };
        return send(request, unpacked, { isAsset, path: asked, more: { "content-encoding": "gzip" } });
      }
      const found = await readStaticFile(files.directory, asked);
      if (found && pathname === "/app") return toFolder(search);
      if (found) return send(request, found, { isAsset, path: asked });
      if (path !== "" && namesFile(asked)) return problem(404, "The console has no such file.", securityHeaders());
      const page = await readStaticFile(files.directory, "index.html");
      if (page)
        return send(
          request,
          { ...page, bytes: atDepth(page.bytes, path.split("/").length - 1) },
          { isAsset: false, path: "index.html" },
        );
      return problem(404, "The console is not built: run pnpm build.", securityHeaders());
    },
  };
}

/** The page with its relative names as they must be that many folders below `/app/`. */
function atDepth(page: Uint8Array, depth: number): Uint8Array {
  if (depth === 0) return page;
  const text = new TextDecoder().decode(page);
  return new TextEncoder().encode(text.replaceAll(/ (href|src)="\.\//g, ` $1="${"../".repeat(depth)}`));
}

function toFolder(search: string): Response {
  return new Response(null, { status: 308, headers: { ...securityHeaders(), location: `app/${search}` } });
}

function send(
  request: Request,
  file: { readonly bytes: Uint8Array; readonly contentType: string; readonly etag: string },
  {
    isAsset,
    path,
    more,
  }: { readonly isAsset: boolean; readonly path: string; readonly more?: Readonly<Record<string, string>> },
): Response {
  const headers = {
    ...(path.startsWith("frames/") ? frameSecurityHeaders(path) : consoleSecurityHeaders),
    "content-type": file.contentType,
    etag: file.etag,
    "cache-control": isAsset ? "public, max-age=31536000, immutable" : "no-cache",
    ...(isAsset || path.startsWith("frames/") ? { vary: "accept-encoding" } : {}),
    ...more,
  };
  if (holds(request.headers.get("if-none-match"), file.etag)) return new Response(null, { status: 304, headers });
  return new Response(file.bytes as Uint8Array<ArrayBuffer>, { headers });
}

function securityHeaders(): Record<string, string> {
  return { ...consoleSecurityHeaders, "cache-control": "no-store" };
}

/** Whether the client accepts gzip (RFC 9110, 12.5.3). */
function takesGzip(request: Request): boolean {
  const named = (request.headers.get("accept-encoding") ?? "").split(",");
  return named.some((one) => /^\s*gzip\s*(;\s*q=(1|0\.0*[1-9])|$)/i.test(one));
}

/** Whether an If-None-Match names the tag; weak and strong compare alike here (RFC 9110, 13.1.2). */
function holds(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** Whether a path means a file and not a screen of the console: it has an extension or is below `assets/`. */
function namesFile(path: string): boolean {
  return path.startsWith("assets/") || /\.[^/]+$/.test(path);
}
