/** `mcp login` and `mcp logout`. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CommandContext } from "../command.ts";
import { CommandProblem } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { positionalsOf } from "../flag-values.ts";
import { interruptible } from "../interruptible.ts";
import { clean } from "../terminal-text.ts";
import { stateText } from "./definitions.ts";

/** How long the service keeps a sign-in that was begun. */
const LASTS_MS = 10 * 60_000;
const PATH = "/callback";

type Answer = Readonly<Record<string, string>>;

/** Listens on this machine for what the authorization server sends back with the person. */
async function listen() {
  let expected: string | undefined;
  const came = Promise.withResolvers<{ readonly answer: Answer; show(text: string, status: number): void }>();
  const say = (response: ServerResponse, status: number, text: string): void =>
    void response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(text);
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "/", "http://127.0.0.1");
    if (request.method !== "GET" || url?.pathname !== PATH) return say(response, 404, "There is nothing here.\n");
    const answer = Object.fromEntries(url.searchParams);
    // Any page of the browser can ask here; only the authorization server knows the state.
    if (expected === undefined || answer.state !== expected) return say(response, 400, "This is not the sign-in.\n");
    expected = undefined;
    came.resolve({ answer, show: (text, status) => say(response, status, text) });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    answerTo(state: string) {
      expected = state;
      return came.promise;
    },
    async close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

export async function signIn(context: CommandContext): Promise<ExitCode> {
  const { api, io, json, note, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const listener = await listen();
  try {
    const body = { redirect_uri: listener.redirectUri };
    const { url, state } = await api.post("/api/mcp/servers/{name}/auth", { params: { name }, body });
    // The person opens it: no program is started with what a server wrote.
    if (json) writeJson({ url });
    else write(`Open this address in a browser of this machine, and sign in:\n\n  ${clean(url)}\n\n`);
    note("Waiting for it; Ctrl-C ends this.\n");
    const came = await interruptible(io, (signal) =>
      Promise.race([listener.answerTo(state), io.pause(LASTS_MS, signal)]),
    );
    if (came === undefined) throw new CommandProblem("no-sign-in", "the sign-in was not ended; begin it again");
    try {
      const finish = { params: { name }, body: { params: came.answer } };
      const done = await api.post("/api/mcp/servers/{name}/auth/finish", finish);
      came.show("You are signed in. This page can be closed.\n", 200);
      if (json) writeJson(done);
      else write(`Signed in to ${done.server.name} (${stateText(done.server)}).\n`);
      return EXIT.ok;
    } catch (error) {
      came.show("You are not signed in; the command line says why.\n", 400);
      throw error;
    }
  } finally {
    await listener.close();
  }
}

export async function signOut(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [name = ""] = positionalsOf(context, "the name of a server");
  const done = await api.delete("/api/mcp/servers/{name}/auth", { params: { name } });
  if (json) writeJson(done);
  else write(`Signed out of ${done.server.name}.\n`);
  return EXIT.ok;
}
