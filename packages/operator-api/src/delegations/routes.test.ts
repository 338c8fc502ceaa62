import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { delegationsRoutes } from "./routes.ts";

it("lists what runs for a session, and cancels by the id of a delegation", async () => {
  const row = { id: "call_1-2", label: "l", subagent_type: "r", task_id: "t", parent: null, state: "working" } as const;
  const asked: string[] = [];
  const ask = askRoutes(
    delegationsRoutes({
      list: async (session) => (session === "s" ? [row] : []),
      async cancel(session, id) {
        asked.push(`${session} ${id}`);
        return { cancelled: true, running: 0 };
      },
    }),
  );
  expect((await ask("GET", "/api/chat/sessions/s/delegations")).body).toEqual({ running: [row] });
  const canceled = await ask("POST", "/api/chat/sessions/s/delegations/call_1-2/cancel");
  expect(canceled.body).toEqual({ cancelled: true, running: 0 });
  expect(asked).toEqual(["s call_1-2"]);
});
