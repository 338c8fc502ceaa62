/** Shared pages through HTTP, the settings and the command line (O9). */
import { manualClock } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runClientCommand } from "../../client-commands/index.ts";
import { type Json, temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const TOKEN = "operator-token-0123456789";
const AUTH = `auth: { token: ${TOKEN}, federation_token: peer-token-0123456789 }`;
const CONFIG = `
identity: { name: "Ada <b>bold</b>" }
${AUTH}
shares: { enabled: true }
model: { name: "scripted:demo" }
`;
const DAY_S = 86_400;
const HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'self'; img-src data:; sandbox",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
};

const clock = manualClock(Date.parse("2026-05-01T10:00:00Z"));
let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG, clock });
});
afterAll(() => running.stop());

async function call(method: string, path: string, body?: object, { at = running, key = "", host = "" } = {}) {
  const response = await fetch(`${at.url}/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body && { "content-type": "application/json" }),
      ...(key !== "" && { "idempotency-key": key }),
      ...(host !== "" && { host }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function say(session: string, message: string, at = running): Promise<string> {
  const { status, body } = await call("POST", "chat", { message, session_id: session }, { at });
  expect(status).toBe(200);
  return String(body.task_id);
}

/** Shares and returns the path of the link. */
async function share(body: object, at = running): Promise<string> {
  const made = await call("POST", "shares", body, { at });
  expect(made).toMatchObject({ status: 201, body: { id: expect.any(String), expires_at: expect.any(String) } });
  return new URL(made.body.url).pathname;
}

/** Reads a page as somebody without any credential. */
async function page(path: string, at = running) {
  await clock.advance(1_000);
  const response = await fetch(at.url + path);
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

it("shows whoever has the link a copy of that moment, with the headers of a page that does nothing (O9)", async () => {
  await say("frozen", "What is **this**?");
  const made = await call("POST", "shares", { session_id: "frozen", expires_in_s: DAY_S });
  expect(made.body.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${running.port}/share/[\\w-]{43}$`));
  expect(made.body.expires_at).toBe(new Date(clock.now() + DAY_S * 1_000).toISOString());
  await say("frozen", "Said later");
  const shown = await page(new URL(made.body.url).pathname);
  expect(shown.status).toBe(200);
  expect(shown.headers).toMatchObject({ ...HEADERS, "content-type": "text/html; charset=utf-8" });
  expect(shown.text).toContain("What is <strong>this</strong>?");
  expect(shown.text).toContain('<link rel="stylesheet" href="page.css">');
  expect(shown.text).not.toContain("Said later");
  expect(shown.text).not.toMatch(/<script|style=|\son\w+=|javascript:|<img|<form|<iframe/i);
  const style = await page("/share/page.css");
  expect(style).toMatchObject({ status: 200, headers: { "content-type": "text/css; charset=utf-8" } });
  expect(style.text).not.toMatch(/url\(|@import/);
});

it("keeps the SHA-256 of a link only, lists shares without it, and shows the link once", async () => {
  await say("kept", "hello");
  const body = { session_id: "kept", expires_in_s: DAY_S };
  const made = await call("POST", "shares", body, { key: "once" });
  const link = String(made.body.url).slice(-43);
  const again = await call("POST", "shares", body, { key: "once" });
  expect(again).toMatchObject({ status: 409, body: { detail: { code: "repeated" } } });
  const { body: list } = await call("GET", "shares");
  expect(list.state).toBe("on");
  expect(list.shares.filter((one: Json) => one.session_id === "kept")).toMatchObject([
    { id: made.body.id, task_id: null, title: "hello", include: { tool_results: false } },
  ]);
  expect(JSON.stringify(list)).not.toContain(link);
  expect(running.log.join("\n")).not.toContain(link);
  expect(await running.service.core.db.read({ sql: "SELECT * FROM idempotency", args: [] })).toEqual([]);
});

it("answers an unknown, an expired and a revoked link, and one of another form, with the same 404", async () => {
  await say("gone", "hello");
  const expired = await share({ session_id: "gone", expires_in_s: 60 });
  const revoked = await call("POST", "shares", { session_id: "gone" });
  expect((await page(expired)).status).toBe(200);
  await clock.advance(60_000);
  expect((await call("DELETE", `shares/${revoked.body.id}`)).body).toEqual({ ok: true });
  expect((await call("DELETE", `shares/${revoked.body.id}`)).status).toBe(404);
  const paths = [
    expired,
    new URL(revoked.body.url).pathname,
    `/share/${"A".repeat(43)}`,
    "/share/short",
    "/share/..%2f..%2fapi%2fshares",
    `/share/${"%00".repeat(43)}`,
    "/share/' OR 1=1 --",
    `/share/${"x".repeat(5_000)}`,
  ];
  const answers = await Promise.all(paths.map((path) => page(path)));
  for (const { status, text, headers } of answers) {
    expect([status, text]).toEqual([404, answers[0]!.text]);
    expect({ ...headers, date: "" }).toEqual({ ...answers[0]!.headers, date: "" });
  }
  expect(answers[0]!.headers).toMatchObject(HEADERS);
});

it("copies arguments, results and the persona only where they are ticked, and the tool's words with both", async () => {
  const task = await say("ticks", '/call calculator {"expression":"19 * 3"}');
  running.folders.configure(CONFIG);
  const bare = (await page(await share({ task_id: task }))).text;
  expect(bare).toMatch(/Calculator <span class="outcome">done/);
  const steps = (text: string): string =>
    /<main>(.*)<\/main>/s.exec(text)![1]!.replaceAll(/<section.*?<\/section>/gs, "");
  expect(steps(bare)).not.toMatch(/19|57|Persona/);
  const include = (ticked: object) => share({ task_id: task, include: ticked }).then(page);
  const args = steps((await include({ tool_arguments: true })).text);
  expect(args).toContain("19 * 3");
  expect(args).not.toContain("57");
  const results = steps((await include({ tool_results: true })).text);
  expect(results).toContain("57");
  expect(results).not.toContain("19");
  expect(steps((await include({ tool_arguments: true, tool_results: true })).text)).toMatch(/<summary>[^<]*57/);
  expect(steps((await include({ persona: true })).text)).toContain("<summary>Persona</summary>");
});

it("copies an approval, which shows arguments, only with them", async () => {
  await using gated = await startTestService({
    config: `${CONFIG}enforcement: { require_approval: [calculator] }\n`,
    clock,
  });
  const chat = await call(
    "POST",
    "chat",
    { message: '/call calculator {"expression":"23 * 7"}', session_id: "a" },
    { at: gated },
  );
  const run = (include: object) =>
    share({ task_id: chat.body.task_id, include }, gated).then((path) => page(path, gated));
  const about = (text: string): string =>
    text.replaceAll(/<section class="user">.*?<\/section>|<header>.*?<\/header>|<title>.*?<\/title>/gs, "");
  const bare = about((await run({})).text);
  expect(bare).toContain("It was waiting for a person.");
  expect(bare).not.toContain("23 * 7");
  expect(about((await run({ tool_arguments: true })).text)).toContain("23");
});

it("takes secrets out, also where they are ticked, and says in the preview of how many places", async () => {
  const task = await say("secret", `/call calculator {"expression":"1 + ${TOKEN}"}`);
  const all = { tool_arguments: true, tool_results: true, reasoning: true, persona: true };
  const preview = await call("POST", "shares/preview", { task_id: task, include: all });
  expect(preview.body).toMatchObject({ turns: 1, more: 0, hidden: expect.any(Number) });
  expect(preview.body.hidden).toBeGreaterThanOrEqual(2);
  const shown = await page(await share({ task_id: task, include: all }));
  for (const text of [shown.text, JSON.stringify(preview.body)]) {
    expect(text).not.toContain(TOKEN);
    expect(text).toContain("***");
  }
});

it("shows markup in titles, messages, tools and names as text", async () => {
  const attack = `<script>alert(1)</script><img src=x onerror="alert(1)"> [go](javascript:alert(1)) ![pixel](https://evil.example/p.png)`;
  const task = await say("attack", attack);
  await call("PATCH", "chat/sessions/attack", { title: `</title><script>alert(2)</script>` });
  await say("attack", `/call calculator ${JSON.stringify({ expression: "</code></pre><script>alert(3)</script>" })}`);
  const include = { tool_arguments: true, tool_results: true };
  for (const body of [
    { session_id: "attack", include },
    { task_id: task, include },
  ]) {
    const { text } = await page(await share(body));
    expect(text).not.toMatch(/<script|<img|<b>bold|href="javascript/i);
    expect(text).toContain("&lt;script&gt;");
    expect(text).toContain("Ada &lt;b&gt;bold&lt;/b&gt;");
    expect(text.match(/<title>/g)).toHaveLength(1);
  }
});

it("never shares what is incognito, neither the conversation nor a run of it", async () => {
  const { body } = await call("POST", "chat", { message: "hush", session_id: "quiet", incognito: true });
  for (const target of [{ session_id: "quiet" }, { task_id: body.task_id }]) {
    for (const path of ["shares", "shares/preview"]) {
      const refused = await call("POST", path, target);
      expect([refused.status, refused.body.detail.code]).toEqual([409, "incognito"]);
    }
  }
});

it("ends with its conversation: deleted, cleared, or as a run of it", async () => {
  for (const query of ["retire=true", "retire=false"]) {
    const task = await say("doomed", "hello");
    const links = [await share({ session_id: "doomed" }), await share({ task_id: task })];
    for (const link of links) expect((await page(link)).status).toBe(200);
    expect((await call("DELETE", `chat/sessions/doomed?${query}`)).status).toBe(200);
    for (const link of links) expect((await page(link)).status).toBe(404);
  }
  const { body } = await call("GET", "shares");
  expect(body.shares.filter((one: Json) => one.session_id === "doomed")).toEqual([]);
});

it("refuses what is not there, and a peer anything but the page", async () => {
  for (const target of [{ session_id: "nowhere" }, { task_id: "nowhere" }]) {
    const refused = await call("POST", "shares", target);
    expect([refused.status, refused.body.detail.code]).toEqual([404, "not_found"]);
  }
  const peer = await fetch(`${running.url}/api/shares`, { headers: { authorization: "Bearer peer-token-0123456789" } });
  expect(peer.status).toBe(403);
});

it("writes the public address into the link, else the one the request was sent to, and nothing of it into the page", async () => {
  const folders = temporaryFolders();
  const named = { config: CONFIG, clock, folders, env: { A2A_PUBLIC_URL: "https://agent.example/base/" } };
  await using open = await startTestService(named);
  await say("addressed", "hello", open);
  const { body } = await call("POST", "shares", { session_id: "addressed" }, { at: open });
  expect(body.url).toMatch(/^https:\/\/agent\.example\/base\/share\/[\w-]{43}$/);
  const { text } = await page(`/share/${String(body.url).slice(-43)}`, open);
  expect(text).not.toContain("agent.example");
  await open.stop();
  // What was shared survives a restart.
  await using again = await startTestService({ config: CONFIG, clock, folders });
  expect((await page(`/share/${String(body.url).slice(-43)}`, again)).text).toBe(text);
  await again.stop();
  folders.remove();
});

it("is off until it is switched on and a token guards the service, and shows no page then", async () => {
  const folders = temporaryFolders();
  await using on = await startTestService({ config: CONFIG, clock, folders });
  await say("off", "hello", on);
  const link = await share({ session_id: "off" }, on);
  await on.stop();
  const cases = [
    [CONFIG.replace("shares: { enabled: true }", ""), "switched_off"],
    [CONFIG.replace(AUTH, ""), "no_token"],
  ] as const;
  for (const [config, state] of cases) {
    await using off = await startTestService({ config, clock, folders });
    expect((await call("GET", "shares", undefined, { at: off })).body.state).toBe(state);
    const refused = await call("POST", "shares", { session_id: "off" }, { at: off });
    expect([refused.status, refused.body.detail.code]).toEqual([409, state]);
    expect((await page(link, off)).status).toBe(404);
    await off.stop();
  }
  folders.remove();
});

it("bounds how often pages are read, whoever reads them", async () => {
  await clock.advance(60_000);
  const paths = Array.from({ length: 80 }, () => `${running.url}/share/${"B".repeat(43)}`);
  const statuses = await Promise.all(paths.map(async (path) => (await fetch(path)).status));
  expect(statuses.filter((status) => status === 404)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  await clock.advance(1_000);
  expect((await fetch(paths[0]!)).status).toBe(404);
});

/** Runs `agent-service shares …` as a script does. */
async function command(...args: readonly string[]) {
  const out = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof out) => ({
    write(text: string) {
      out[name] += text;
    },
    terminal: false,
    columns: 80,
  });
  const code = await runClientCommand(["shares", ...args, "--url", running.url], {
    ...{ env: { NO_COLOR: "1", A2A_AUTH_TOKEN: TOKEN }, stdout: sink("stdout"), stderr: sink("stderr") },
    ...{ keyboard: undefined, piped: undefined, checkoutRoot: undefined },
    onInterrupt: () => () => {},
    pause: async () => {},
  });
  return { code, ...out };
}

it("is made, listed and withdrawn from the command line", async () => {
  await say("by-hand", "hello");
  const added = await command("add", "by-hand", "--expires", "12h", "--include", "tool-results,reasoning", "--json");
  const made = JSON.parse(added.stdout) as Json;
  expect([added.code, added.stderr]).toEqual([0, ""]);
  expect(made.expires_at).toBe(new Date(clock.now() + 12 * 3_600_000).toISOString());
  expect((await command()).stdout).toMatch(new RegExp(`${made.id} .*session .*hello`));
  expect((await command("add", "by-hand")).stdout).toMatch(/^http\S+\/share\/[\w-]{43}\n$/);
  expect(await command("remove", made.id)).toMatchObject({ code: 0 });
  expect((await page(new URL(made.url).pathname)).status).toBe(404);
  for (const wrong of [["odd"], ["add"], ["add", "x", "--expires", "31d"], ["add", "x", "--include", "all"]]) {
    expect(await command(...wrong)).toMatchObject({ code: 2, stdout: "" });
  }
});
