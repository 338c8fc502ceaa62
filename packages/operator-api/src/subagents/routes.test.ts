import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type SubagentsService, type SubagentWork, subagentsRoutes } from "./routes.ts";

const asked: [string, readonly SubagentWork[]][] = [];
const service: SubagentsService = {
  list: () => [],
  async run(session_id, work) {
    asked.push([session_id, [work]]);
    return { ok: true, session_id, task_id: "t", output: "done" };
  },
  async batch(session_id, work) {
    asked.push([session_id, work]);
    return { ok: true, session_id, output: "", results: [] };
  },
};
const ask = askRoutes(subagentsRoutes(service));

it("has the researcher do it where no role is named, and takes subagent_type before type (O4)", async () => {
  asked.length = 0;
  await ask("POST", "/api/subagents/run", { prompt: "a" });
  await ask("POST", "/api/subagents/run", { prompt: "b", type: "x", subagent_type: "y", session_id: "s" });
  await ask("POST", "/api/subagents/batch", { tasks: [{ prompt: " c ", type: "x", description: " d " }] });
  expect(asked).toEqual([
    ["manual-subagent", [{ type: "researcher", prompt: "a", description: "" }]],
    ["s", [{ type: "y", prompt: "b", description: "" }]],
    ["manual-subagent", [{ type: "x", prompt: "c", description: "d" }]],
  ]);
});

it("refuses blank tasks, and too many, before anything is started", async () => {
  asked.length = 0;
  const many = Array.from({ length: 21 }, () => ({ prompt: "x" }));
  const status = async (path: string, body: object) => (await ask("POST", `/api/subagents/${path}`, body)).status;
  expect(await status("run", { prompt: " " })).toBe(400);
  expect(await status("run", {})).toBe(422);
  expect(await status("batch", { tasks: [] })).toBe(400);
  expect(await status("batch", { tasks: [{ prompt: "x" }, { prompt: " " }] })).toBe(422);
  expect(await status("batch", { tasks: many })).toBe(422);
  expect(asked).toEqual([]);
});
