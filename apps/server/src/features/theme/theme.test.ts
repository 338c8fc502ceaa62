/** The console's theme through HTTP (B46 `/api/theme`). */
import { expect, it } from "vitest";
import { followEvents } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

it("is kept, and every change published", async () => {
  await using running = await startTestService();
  const events = await followEvents(running.url);
  const headers = { "content-type": "application/json" };
  const put = await fetch(`${running.url}/api/theme`, { method: "PUT", headers, body: '{"theme":{"accent":"red"}}' });
  expect(put.status).toBe(200);
  await events.until(({ topic }) => topic === "theme.changed");
  await events.close();
  expect(await (await fetch(`${running.url}/api/theme`)).json()).toEqual({ theme: { accent: "red" } });
  expect((await fetch(`${running.url}/api/theme`, { method: "DELETE", headers })).status).toBe(200);
  expect(await (await fetch(`${running.url}/api/theme`)).json()).toEqual({ theme: null });
});
