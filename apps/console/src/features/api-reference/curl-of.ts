import type { Operation } from "./read-reference.ts";

/** The operation as a command for a POSIX shell, with the address and the token as variables. */
export function curlOf({ method, path, parameters, body }: Operation): string {
  const required = parameters.filter(({ where, required }) => where === "query" && required);
  const query = required.length === 0 ? "" : `?${required.map(({ name }) => `${name}=…`).join("&")}`;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$SVC_URL${path.replaceAll(/\{(\w+)\}/g, "<$1>")}${query}"`,
    '-H "Authorization: Bearer $A2A_AUTH_TOKEN"',
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body.example ?? {}).replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(" \\\n  ");
}
