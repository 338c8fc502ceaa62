/** WebSocket upgrades over real sockets (B28; S4: the same rules, close 1008). */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { ask } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { pathsOf, type Route } from "./index.ts";

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
/** RFC 6455, section 1.3: the accept value of that key. */
const ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

type Headers = { readonly [name: string]: string };

const HANDSHAKE: Headers = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": KEY,
};

/** Sends a request as bytes and reads until the server is done with the connection, or enough has come. */
function exchange(
  port: number,
  path: string,
  { method = "GET", headers, isEnough }: { method?: string; headers: Headers; isEnough?: (text: string) => boolean },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (isEnough?.(Buffer.concat(chunks).toString("latin1"))) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks)));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  });
}

/** What came back: "1008" where a handshake was accepted and closed with it, else the status of the plain answer. */
async function outcome(port: number, path: string, headers: Headers): Promise<string> {
  // The body of a plain answer is not read: that of an event stream never ends.
  const isEnough = (text: string): boolean => /^HTTP\/1\.1 (?!101)\d+ [\s\S]*\r\n\r\n/.test(text);
  const answer = await exchange(port, path, { headers, isEnough });
  const text = answer.toString("latin1");
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text;
  if (status !== "101") return status;
  expect(text).toContain(`\r\nSec-WebSocket-Accept: ${ACCEPT}\r\n`);
  const frame = answer.subarray(answer.indexOf("\r\n\r\n") + 4);
  // FIN and close, unmasked, two bytes of payload; and nothing behind it.
  expect([...frame.subarray(0, 2), frame.length]).toEqual([0x88, 2, 4]);
  return String(frame.readUInt16BE(2));
}

/** How a handshake at the path ends. */
const handshake = (port: number, path: string, headers: Headers): Promise<string> =>
  outcome(port, path, { ...HANDSHAKE, ...headers });

/** What differs between paths as far as access control knows; paths alike in it take turns with the combinations. */
function kindOf({ tier, streaming, a2a }: Route): string {
  return `${tier} ${streaming === true} ${a2a === true}`;
}

/** Every path of the service and some it has not; the first of each kind is asked everything. */
function pathsToAsk({ service }: TestService): readonly { readonly path: string; readonly thoroughly: boolean }[] {
  const kinds = new Set<string>();
  const found = new Map(
    ["/nothing", "/api/nothing", "/a2a/nothing", "/agents/peer/a2a"].map((path) => [path, { path, thoroughly: true }]),
  );
  for (const route of service.routes) {
    for (const pattern of pathsOf(route)) {
      const path = pattern.replace(/:\w+(\{\.\+\})?/g, "x").replace("*", "x");
      const thoroughly = !kinds.has(kindOf(route)) || found.get(path)?.thoroughly === true;
      kinds.add(kindOf(route));
      found.set(path, { path, thoroughly });
    }
  }
  return [...found.values()];
}

const LISTED = "https://listed.example";
const hosts: readonly Headers[] = [{ host: "localhost:7870" }, { host: "evil.example" }];
const origins: readonly Headers[] = [
  {},
  { origin: "http://localhost:7870" },
  { origin: LISTED, "sec-fetch-site": "cross-site" },
  { origin: "https://other.example" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
];
const instances: readonly (readonly [name: string, env: Headers])[] = [
  ["open", {}],
  ["open, origins listed", { A2A_ALLOWED_ORIGINS: LISTED }],
  ["bearer", { A2A_AUTH_TOKEN: "tok" }],
  ["bearer, origins listed", { A2A_AUTH_TOKEN: "tok", A2A_ALLOWED_ORIGINS: LISTED }],
];

describe.each(instances)("a WebSocket handshake at an instance that is %s", (_name, env) => {
  const open = env.A2A_AUTH_TOKEN === undefined;
  const verifies = env.A2A_ALLOWED_ORIGINS !== undefined;

  function isRefused({ host }: Headers, { origin, "sec-fetch-site": site }: Headers): boolean {
    if (open && host === "evil.example") return true;
    const ours = origin === `http://${host}` || (verifies && origin === LISTED);
    return !ours && (verifies || origin !== undefined || site === "cross-site");
  }

  it("is closed with 1008 where Host or Origin forbid it, and else answered as the plain request it also is", async () => {
    await using running = await startTestService({ env });
    const { port } = running;
    const cases = hosts.flatMap((host) => origins.map((origin) => ({ host, origin })));
    const refused = cases.filter(({ host, origin }) => isRefused(host, origin));
    const allowed = cases.filter(({ host, origin }) => !isRefused(host, origin));
    const asked = { refused: 0, allowed: 0 };
    for (const [at, { path, thoroughly }] of pathsToAsk(running).entries()) {
      // Each path is asked one of either kind, another one than the path before it.
      const some = [refused[at % refused.length]!, allowed[at % allowed.length]!];
      await Promise.all(
        (thoroughly ? cases : some).map(async ({ host, origin }) => {
          const headers = { ...host, ...origin };
          const shut = isRefused(host, origin);
          const expected = shut ? "1008" : await outcome(port, path, headers);
          expect([path, headers, await handshake(port, path, headers)]).toEqual([path, headers, expected]);
          asked[shut ? "refused" : "allowed"] += 1;
        }),
      );
    }
    expect(Math.min(asked.refused, asked.allowed)).toBeGreaterThan(pathsToAsk(running).length);
  });
});

describe("a request for an upgrade", () => {
  it("without a credential is 401, as for any request", async () => {
    await using running = await startTestService({ env: { A2A_AUTH_TOKEN: "tok" } });
    const host = `127.0.0.1:${running.port}`;
    expect(await handshake(running.port, "/a2a", { host })).toBe("401");
    expect(await handshake(running.port, "/a2a", { host, authorization: "Bearer tok" })).toBe("405");
  });

  it.each([
    ["another method", {}, "POST"],
    ["another protocol", { upgrade: "h2c" }, "GET"],
    ["another version", { "sec-websocket-version": "8" }, "GET"],
    ["a key of the wrong length", { "sec-websocket-key": "c2hvcnQ=" }, "GET"],
  ])("but is no handshake (%s) gets the plain 403", async (_name, headers, method) => {
    await using running = await startTestService();
    const asked = { ...HANDSHAKE, host: "evil.example", connection: "Upgrade, close", ...headers };
    expect((await exchange(running.port, "/a2a", { method, headers: asked })).toString()).toMatch(
      /^HTTP\/1\.1 403 .*\{"detail":"This server does not answer to that Host name/s,
    );
  });

  it("shows its code to a real client, and no client keeps the connection by continuing", async () => {
    await using running = await startTestService();
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}/a2a`, {
      headers: { origin: "https://evil.example" },
    } as never);
    const code = await new Promise((resolve) => socket.addEventListener("close", (event) => resolve(event.code)));
    expect(code).toBe(1008);

    const stubborn = connect({ port: running.port, host: "127.0.0.1", allowHalfOpen: true });
    stubborn.on("error", () => {});
    const closed = new Promise<void>((resolve) => stubborn.on("close", () => resolve()));
    const lines = Object.entries({ ...HANDSHAKE, host: "evil.example" }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    stubborn.write(`GET /a2a HTTP/1.1\r\n${lines.join("")}\r\n`);
    const talk = setInterval(() => stubborn.write(Buffer.alloc(1_000)), 20);
    stubborn.resume();
    await closed;
    clearInterval(talk);
    expect((await ask(running.port, { path: "/healthz", headers: { host: "localhost" } })).status).toBe(200);
  });
});
