import { execFileSync, spawn } from "node:child_process";
import type { RequestListener } from "node:http";
import { join } from "node:path";

/** Answers what git asks with `git http-backend`, as a web server does: repositories below `folder`, by their paths. */
export function gitHttpBackend(folder: string): RequestListener {
  const program = join(execFileSync("git", ["--exec-path"]).toString().trim(), "git-http-backend");
  return (request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const child = spawn(program, {
      env: {
        ...{ PATH: process.env.PATH, GIT_PROJECT_ROOT: folder, GIT_HTTP_EXPORT_ALL: "1", PATH_INFO: pathname },
        ...{ QUERY_STRING: search.slice(1), REQUEST_METHOD: request.method },
        ...{
          CONTENT_TYPE: request.headers["content-type"],
          HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
        },
        HTTP_GIT_PROTOCOL: request.headers["git-protocol"]?.toString(),
      },
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("close", () => {
      const output = Buffer.concat(chunks);
      const end = output.indexOf("\r\n\r\n");
      const headers = output.toString("latin1", 0, end).split("\r\n");
      const named = headers.map(
        (line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const,
      );
      const status = Number(named.find(([name]) => name === "Status")?.[1].slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(named.filter(([name]) => name !== "Status")));
      response.end(output.subarray(end + 4));
    });
  };
}
