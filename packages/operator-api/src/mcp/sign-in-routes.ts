/** Signing in to MCP servers (M4, M13). */
import * as v from "valibot";
import { defineRoute, json } from "../route/index.ts";
import { rowSchema } from "./schema.ts";

const tag = "MCP";
const params = { name: "Of the server." } as const;
const unknown = { 404: "There is no such server." } as const;
const notPossible = {
  409: "There is no way to sign in to it, or its authorization server refused.",
  502: "Its authorization server could not be asked.",
} as const;

export const beginSignIn = defineRoute({
  name: "mcp.signIn",
  method: "POST",
  path: "/api/mcp/servers/{name}/auth",
  tag,
  decides: true,
  summary: "Begins the sign-in to a server: the address that a person opens",
  description: `The answer of that page comes to \`redirect_uri\` within ten minutes, and belongs to \`auth/finish\`. The page of this
service is \`/app/oauth/mcp\` at \`A2A_PUBLIC_URL\`; without one, and for programs, it is that path, or \`/callback\`, at this machine's loopback.`,
  params,
  body: v.object({
    redirect_uri: v.pipe(v.string(), v.maxLength(2_000), v.description("Where the answer is to come.")),
  }),
  reply: json(
    v.object({
      url: v.pipe(v.string(), v.description("For a person's browser.")),
      state: v.pipe(v.string(), v.description("What the answer carries back; used once.")),
    }),
  ),
  failures: { ...unknown, ...notPossible },
  example: { body: { redirect_uri: "http://127.0.0.1:7870/app/oauth/mcp" } },
});

export const finishSignIn = defineRoute({
  name: "mcp.signInFinish",
  method: "POST",
  path: "/api/mcp/servers/{name}/auth/finish",
  tag,
  decides: true,
  summary: "Ends the sign-in to a server with what came to its redirect, and connects anew",
  params,
  body: v.object({
    params: v.pipe(
      v.record(v.pipe(v.string(), v.maxLength(200)), v.pipe(v.string(), v.maxLength(8_000))),
      v.maxEntries(20),
      v.description("The query of the redirect: `code`, `state`, `iss`, or `error`."),
    ),
  }),
  reply: json(v.object({ ok: v.literal(true), server: rowSchema })),
  failures: { ...unknown, ...notPossible },
  example: { body: { params: { code: "…", state: "…" } } },
});

export const signOut = defineRoute({
  name: "mcp.signOut",
  method: "DELETE",
  path: "/api/mcp/servers/{name}/auth",
  tag,
  decides: true,
  summary: "Forgets the tokens of a server; its authorization server is asked to end them",
  params,
  reply: json(v.object({ ok: v.literal(true), server: rowSchema })),
  failures: { ...unknown, 409: "It is not signed in to." },
});
