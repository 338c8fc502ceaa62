import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createAuthenticator,
  createBodyBudget,
  createHostCheck,
  createOriginPolicy,
  createStreamLimit,
  type Listener,
  listen,
  mountRoutes,
  parseAllowedOrigins,
} from "../../access/index.ts";
import { ask } from "../../testing/index.ts";
import { consoleRoute } from "./console-route.ts";

const PAGE = '<!doctype html><title>page</title><script type="module" src="./assets/app-1a2b.js"></script>';

let root: string;
let listener: Listener;

async function serve(ui: "console" | "none", directory: string): Promise<Listener> {
  const log = { error: (fields: unknown) => expect.fail(JSON.stringify(fields)) };
  const access = {
    authenticator: createAuthenticator(() => ({ bearer: "token" })),
    hostCheck: createHostCheck({}),
    origins: createOriginPolicy({ allowed: parseAllowedOrigins("") }),
    streams: createStreamLimit(),
    bodies: createBodyBudget(),
    refuseDecision: async () => undefined,
  };
  const app = mountRoutes([consoleRoute({ ui, directory })], access, log);
  return listen({ fetch: (request, bindings) => app.fetch(request, bindings), host: "127.0.0.1", port: 0, log });
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "console-"));
  await writeFile(join(root, "secret.txt"), "outside");
  const site = join(root, "site");
  await mkdir(join(site, "assets"), { recursive: true });
  await mkdir(join(site, "folder"));
  await writeFile(join(site, "index.html"), PAGE);
  await writeFile(join(site, "assets", "app-1a2b.js"), "export {};");
  await writeFile(join(site, "assets", "ü b.css"), "a{}");
  await writeFile(join(site, "assets", "large-1a2b.js"), "export const large = 1;");
  await writeFile(join(site, "assets", "large-1a2b.js.gz"), gzipSync("export const large = 1;"));
  await mkdir(join(site, "frames"));
  for (const name of ["diagram.html", "diagram.js", "preview.html"]) await writeFile(join(site, "frames", name), name);
  await writeFile(join(site, ".env"), "hidden");
  await symlink(join(root, "secret.txt"), join(site, "link.txt"));
  await symlink(root, join(site, "linked"));
  listener = await serve("console", site);
});

afterAll(async () => {
  await listener.close({ graceMs: 0 });
  await rm(root, { recursive: true });
});

const get = (path: string, headers = {}) => ask(listener.port, { path, headers });

describe("the console at /app", () => {
  it.each(["/app/", "/app/index.html", "/app/chat", "/app/settings/model"])("%s is the page", async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.text).toContain("<title>page");
    expect(answer.headers["cache-control"]).toBe("no-cache");
  });

  it("leads from /app to /app/, where relative names in the page hold, also below a proxy's prefix", async () => {
    const answer = await get("/app?theme=dark");
    expect([answer.status, answer.headers.location]).toEqual([308, "app/?theme=dark"]);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    const address = new URL(String(answer.headers.location), "https://host.example/agents/one/app");
    expect(address.pathname).toBe("/agents/one/app/");
    expect(new URL("./assets/app-1a2b.js", address).pathname).toBe("/agents/one/app/assets/app-1a2b.js");
  });

  it("reaches what the page names, as a browser at /app does", async () => {
    const page = await fetch(`http://127.0.0.1:${listener.port}/app`);
    const [, named = ""] = /src="([^"]+)"/.exec(await page.text()) ?? [];
    const script = await fetch(new URL(named, page.url));
    expect([script.status, await script.text()]).toEqual([200, "export {};"]);
  });

  it.each(["/app/chat", "/app/chat/one", "/app/tasks/a/b"])(
    "gives %s names that lead to the same assets",
    async (path) => {
      const page = await get(path);
      const [, named = ""] = /src="([^"]+)"/.exec(page.text) ?? [];
      const behind = new URL(named, `https://host.example/agents/one${path}`);
      expect(behind.pathname).toBe("/agents/one/app/assets/app-1a2b.js");
    },
  );

  it("lets hashed assets be cached for good, with their types", async () => {
    const script = await get("/app/assets/app-1a2b.js");
    expect([script.status, script.text]).toEqual([200, "export {};"]);
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await get("/app/assets/%C3%BC%20b.css")).headers["content-type"]).toBe("text/css; charset=utf-8");
  });

  it("sends what the build packed to who takes gzip, and the file itself to who does not", async () => {
    const from = `http://127.0.0.1:${listener.port}/app/assets/large-1a2b.js`;
    const response = await fetch(from, { headers: { "accept-encoding": "gzip, br" } });
    expect(await response.text()).toBe("export const large = 1;");
    for (const [accepted, encoding] of [
      ["br, gzip;q=0.5", "gzip"],
      ["gzip;q=0, br", undefined],
      ["identity", undefined],
    ] as const) {
      const { headers } = await get("/app/assets/large-1a2b.js", { "accept-encoding": accepted });
      expect([accepted, headers["content-encoding"]]).toEqual([accepted, encoding]);
      expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
      expect([headers.vary, headers["cache-control"]]).toEqual([
        "accept-encoding",
        "public, max-age=31536000, immutable",
      ]);
    }
    const plain = await get("/app/assets/app-1a2b.js", { "accept-encoding": "gzip" });
    expect([plain.headers["content-encoding"], plain.text]).toEqual([undefined, "export {};"]);
  });

  it.each([
    ["/app/frames/diagram.html", "script-src 'self'"],
    ["/app/frames/preview.html", "script-src 'unsafe-inline'"],
  ])("gives %s an origin of its own, no network, and this console alone around it", async (path, scripts) => {
    const { status, headers } = await get(path);
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(status).toBe(200);
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "sandbox allow-scripts", scripts]));
    expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'self'", "form-action 'none'", "base-uri 'none'"]));
    expect(policy.join(" ")).not.toMatch(/connect-src|allow-same-origin|allow-top-navigation|https?:/);
    // Its scripts are loaded by an origin that is none; nothing else of the console may be.
    const script = await get("/app/frames/diagram.js");
    expect([script.headers["access-control-allow-origin"], script.headers["cross-origin-resource-policy"]]).toEqual([
      "*",
      "cross-origin",
    ]);
    const page = await get("/app/");
    expect(page.headers["content-security-policy"]).not.toContain("unsafe-inline");
    expect(page.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it.each(["/app/assets/none.js", "/app/none.png", "/app/assets/none", "/app/assets/"])(
    "%s is a missing file, not the page",
    async (path) => {
      const answer = await get(path);
      expect([answer.status, Object.keys(JSON.parse(answer.text))]).toEqual([404, ["detail"]]);
    },
  );

  it("answers 304 to who has it, on GET and HEAD", async () => {
    const { etag } = (await get("/app/")).headers;
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await get("/app/", { "if-none-match": tag });
      expect([tag, answer.status, answer.text]).toEqual([tag, 304, ""]);
    }
    expect((await get("/app/", { "if-none-match": '"other"' })).status).toBe(200);
    const head = await ask(listener.port, { method: "HEAD", path: "/app/" });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, "", etag]);
  });

  it("sends every header a browser needs to keep other sites out (S6)", async () => {
    for (const path of ["/app/", "/app/assets/app-1a2b.js", "/app/none.png"]) {
      const { headers } = await get(path);
      const policy = headers["content-security-policy"] as string;
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe-|https?:|\*/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
    }
  });

  it.each([
    "/app/../secret.txt",
    "/app/%2e%2e/secret.txt",
    "/app/..%2fsecret.txt",
    "/app/assets/..%2f..%2f..%2fsecret.txt",
    "/app/..%5csecret.txt",
    "/app//etc/passwd",
    "/app/%2fetc%2fpasswd",
    "/app/index.html%00.txt",
    "/app/.env",
    "/app/%2eenv",
    "/app/link.txt",
    "/app/linked/secret.txt",
    "/app/%ff.txt",
    "/app/%.txt",
    `/app/${"a".repeat(5_000)}.txt`,
  ])("%s leads nowhere", async (path) => {
    const answer = await get(path);
    expect(answer.text).not.toMatch(/outside|hidden|root:/);
    expect([200, 400, 404]).toContain(answer.status);
    if (answer.status === 200) expect(answer.text).toContain("<title>page");
  });

  it("takes a folder for a screen of the page", async () => {
    expect((await get("/app/folder")).text).toContain("<title>page");
  });
});

describe("without a console", () => {
  it.each([
    ["none", "SVC_UI=none"],
    ["console", "pnpm build"],
  ] as const)("with SVC_UI=%s and no files /app is 404 {detail} with the reason", async (ui, reason) => {
    const bare = await serve(ui, join(root, "nowhere"));
    const answer = await ask(bare.port, { path: "/app" });
    await bare.close({ graceMs: 0 });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text).detail).toContain(reason);
  });
});
