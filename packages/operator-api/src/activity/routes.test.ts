import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type ActivityRow, activityRoutes } from "./routes.ts";

const entry = (id: string, context_id: string, text: string): ActivityRow => ({
  id,
  created_at: "",
  context_id,
  origin: "inbox",
  trigger: null,
  priority: null,
  state: "working",
  text,
  task_id: id,
  stimulus: `asked ${id}`,
});

it("returns the activity conversation's own entries as messages, oldest first", async () => {
  const entries = [entry("c", "home", ""), entry("b", "elsewhere", "B"), entry("a", "home", "A")];
  const list = async (limit: number, before?: string): Promise<ActivityRow[]> =>
    before === undefined ? entries.slice(0, limit) : [];
  const ask = askRoutes(activityRoutes({ contextId: "home", list }));
  const { body } = await ask("GET", "/api/activity");
  expect(body).toEqual({
    context_id: "home",
    entries,
    messages: [
      { role: "user", content: "asked a" },
      { role: "assistant", content: "A" },
      { role: "user", content: "asked c" },
    ],
    next_cursor: null,
  });
  const page = (await ask("GET", "/api/activity?limit=1")).body as { next_cursor: string };
  expect((await ask("GET", `/api/activity?cursor=${page.next_cursor}`)).body).toMatchObject({ entries: [] });
});
