/** A conversation that began incognito: no list shows a text of it, and nothing of it is anywhere once it is closed (O8). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { filesBelow } from "../../testing/files-below.ts";
import { followEvents, type Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const CANARY = "canary-3b1f";
let running: TestService;
beforeAll(async () => {
  running = await startTestService();
});
afterAll(() => running.stop());

async function call(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`${running.url}${path}`, { method, ...sent });
  return { status: response.status, text: await response.text() };
}

async function say(message: string, more: object = {}): Promise<Json> {
  const { status, text } = await call("POST", "/api/chat", { message, session_id: "hushed", ...more });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text) as Json;
}

/** Every address that is read without naming anything, as the service describes itself; not the stream of events. */
async function addresses(): Promise<string[]> {
  const { paths } = JSON.parse((await call("GET", "/api/openapi.json")).text) as {
    readonly paths: { readonly [path: string]: { readonly get?: object } };
  };
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined || path.includes("{") || path === "/api/events" ? [] : [path],
  );
}

async function thoseWith(text: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if ((await call("GET", path)).text.includes(text)) found.push(path);
  return found;
}

/** Files of the service with a text in them; audit lines hold the arguments of calls, as it is documented. */
function filesWith(text: string, folder: string): string[] {
  return filesBelow(folder)
    .filter(({ bytes }) => bytes.includes(text))
    .map(({ path }) => path);
}

it("is listed without its texts while it is open, and leaves none once it is closed", async () => {
  const events = await followEvents(running.url, {}, "");
  const first = await say(`Tell me of the ${CANARY}.`, { incognito: true });
  await say(`/say More of the ${CANARY}`);
  const delegate = {
    description: `Look for ${CANARY}`,
    prompt: `/say the ${CANARY} of a colleague`,
    subagent_type: "researcher",
  };
  await say(`/call task ${JSON.stringify(delegate)}\n/then\n/say It was ${CANARY}.`);
  const waiting = await say(`/call ask_human ${JSON.stringify({ question: `Which ${CANARY}?` })}`);
  expect(waiting.state).toBe("input-required");
  await running.service.core.feed.idle();
  const session = JSON.parse((await call("GET", "/api/chat/sessions/hushed")).text) as Json;
  expect(session).toMatchObject({ incognito: true, title: "", turn_count: 4 });
  expect((await call("GET", "/api/chat/sessions/hushed/turns")).text).toContain(CANARY);
  const lists = [...(await addresses()), `/api/chat/sessions?search=${CANARY}`, "/api/a2a/tasks?session_id=hushed"];
  // A question is answered by who reads it.
  expect(await thoseWith(CANARY, lists)).toEqual(["/api/approvals"]);
  expect((await call("POST", "/api/chat/sessions/hushed/fork", {})).status).toBe(409);
  const tasks = JSON.parse((await call("GET", "/api/a2a/tasks")).text) as Json;
  expect(tasks.tasks.map(({ incognito }: Json) => incognito)).toEqual([true, true, true, true, true]);

  expect((await call("DELETE", "/api/chat/sessions/hushed")).status).toBe(200);
  await events.until(({ topic, data }) => topic === "session.changed" && data.deleted === true);
  const ids = tasks.tasks.map(({ task_id }: Json) => task_id as string);
  const named = ids.flatMap((id: string) => [`/api/a2a/tasks/${id}/journal`, `/api/prompts/${id}`]);
  expect(
    await thoseWith(CANARY, [...lists, ...named, "/api/chat/sessions/hushed", "/api/chat/sessions/hushed/turns"]),
  ).toEqual([]);
  for (const id of ids) expect((await call("GET", `/api/a2a/tasks/${id}/journal`)).status).toBe(404);
  const late = await followEvents(running.url, {}, `?since=${events.events[0]?.id}`);
  await late.until(({ topic, data }) => topic === "session.changed" && data.deleted === true);
  expect(JSON.stringify([events.text, late.text, running.log])).not.toContain(CANARY);
  const files = filesWith(CANARY, running.folders.home).filter((path) => !path.includes("audit"));
  expect(files).toEqual([]);
  expect(first.session_id).toBe("hushed");
});
