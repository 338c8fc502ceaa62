import { expect } from "vitest";
import { violationsAtAllWidths } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

const PRICED = {
  config: `providers: [{ id: scripted, type: scripted, models: { demo: { price: { input: 3, output: 15 } } } }]
model: { name: "scripted:demo" }
`,
  env: { SVC_MODEL: "", SVC_HEADLESS_SETUP: "true" },
};

const inside = { description: "look", prompt: "/say The heron left.", subagent_type: "researcher" };
const behind = { ...inside, prompt: "/say The reeds are cut.", run_in_background: true };

export const journeys: readonly Journey[] = [
  {
    title: "a run is found by words of its answer, and begins with what was asked and answered",
    service: PRICED,
    async run({ page, visit, operator }) {
      const say = (message: string) => operator.post("/api/chat", { body: { message, session_id: "birds" } });
      await say("Where is the heron?\n/say It went to the **southern** pond.");
      await say("And the coot?\n/wait 300\n/say In the reeds.");
      await visit("tasks");
      const today = page.getByRole("region", { name: "Today" });
      await today.getByRole("listitem").nth(1).waitFor();
      expect(await today.getByText(/^\$0\.00\d+$/).count()).toBe(2);
      const bars = await today
        .locator("[data-bar]")
        .evaluateAll((all) =>
          all.map((bar) => bar.getBoundingClientRect().width / (bar.parentElement?.clientWidth ?? 0)),
        );
      const times = (await operator.get("/api/a2a/tasks", {})).tasks.map(({ duration_ms: ms }) => ms ?? 0);
      // Among what is shown the longest fills its line. None is narrower than can be seen.
      expect(bars.map((bar) => bar.toFixed(1))).toEqual(
        times.map((ms) => Math.max(ms / Math.max(...times), 2 / 104).toFixed(1)),
      );
      expect(await violationsAtAllWidths(page)).toEqual([]);

      await page.getByRole("searchbox", { name: "Search runs" }).fill("SOUTHERN heron");
      await today.getByText("And the coot?").waitFor({ state: "detached" });
      await page.waitForURL(/search=SOUTHERN/);
      await page.reload();
      await today.getByRole("link", { name: /Where is the heron/ }).click();
      await page.getByRole("region", { name: "Asked" }).getByText("Where is the heron?").waitFor();
      await page.getByRole("region", { name: "Answered" }).locator("strong", { hasText: "southern" }).waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await page.goBack();
      await page.getByRole("searchbox", { name: "Search runs" }).fill("kingfisher");
      await page.getByRole("link", { name: "Show all runs" }).click();
      await today.getByText("And the coot?").waitFor();
      expect(await page.getByRole("searchbox", { name: "Search runs" }).inputValue()).toBe("");
    },
  },
  {
    title: "what a run delegated stands in its waterfall, jobs too, each with its cost",
    service: PRICED,
    async run({ page, visit, operator, service }) {
      const { task_id: task } = await operator.post("/api/chat", {
        body: {
          message: `Look after them\n/call task ${JSON.stringify(inside)}\n/then\n/call task ${JSON.stringify(behind)}\n/then\n/say Both.`,
          session_id: "delegated",
        },
      });
      await service.service.core.features.background.idle();
      await visit(`tasks/${task}`);
      const timeline = page.getByRole("region", { name: "Timeline" });
      await timeline.getByText(/^researcher, \d steps/).waitFor();
      await timeline.getByText(/^Job \(researcher\), \d steps/).waitFor();
      // Three calls of its own and one of each task, then the call that delegated and both tasks.
      await timeline
        .getByText(/^\$0\.00\d+$/)
        .nth(7)
        .waitFor();
      expect(await timeline.getByText(/^\$0\.00\d+$/).count()).toBe(8);
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await timeline.getByRole("link", { name: "Open its run" }).last().click();
      await page.getByRole("region", { name: "Answered" }).getByText("The reeds are cut.").waitFor();
    },
  },
  {
    title: "a card of the board is given to the agent once, and card, run and conversation lead to each other",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      const { issue } = await operator.post("/api/tasks/issues", {
        body: { title: "Water the ferns", description: "/say Watered." },
      });
      await visit("work/board");
      const column = page.getByRole("region", { name: "In progress", exact: true });
      await page.getByRole("link", { name: "Water the ferns" }).hover();
      const press = page.getByRole("button", { name: /^Let the agent do it/ });
      await press.dblclick();
      await column.getByText("Completed").waitFor();
      await press.waitFor({ state: "detached" });
      expect((await operator.get("/api/a2a/tasks", { query: { origin: "board" } })).tasks).toHaveLength(1);
      expect(await violationsAtAllWidths(page)).toEqual([]);

      await column.getByRole("link", { name: "Water the ferns" }).click();
      await page.getByRole("dialog").getByRole("link", { name: "Open its run" }).click();
      await page.getByRole("region", { name: "Answered" }).getByText("Watered.").waitFor();
      await page.getByText("On the board:").waitFor();
      await page.getByRole("link", { name: "Water the ferns" }).click();
      await page.getByRole("link", { name: "Open its conversation" }).click();
      await page.getByRole("heading", { level: 1, name: "Water the ferns" }).waitFor();
      await page.getByText("On the board:").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await page.getByRole("link", { name: "Water the ferns" }).last().waitFor();

      // Its text is changed and given to the agent in one go.
      const { run } = (await operator.post("/api/tasks/issues", { body: { title: "Sweep" } })).issue;
      expect([run, issue.run]).toEqual([null, null]);
      await visit("work/board/task-2");
      await page.getByRole("textbox", { name: "Description" }).fill("/say Swept clean.");
      await page.getByRole("button", { name: "Let the agent do it" }).click();
      await page.getByRole("dialog").getByRole("link", { name: "Open its run" }).click();
      await page.getByRole("region", { name: "Answered" }).getByText("Swept clean.").waitFor();
    },
  },
  {
    title: "inbox and activity explain themselves with a command that works",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, service }) {
      await visit("work/activity");
      await page.getByText("The agent has started no turns by itself yet").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await visit("work/inbox");
      await page.getByText("Nothing waits for the agent").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      const command = (await page.locator("pre").textContent()) ?? "";
      const [, url = "", body = ""] =
        /^curl '(.*?)'.*-H "authorization: Bearer \$AGENT_TOKEN".*-d '(.*)'$/s.exec(command) ?? [];
      expect(url.startsWith(service.url)).toBe(true);
      const headers = { "content-type": "application/json" };
      const sent = await fetch(url, { method: "POST", headers, body });
      expect(await sent.json()).toMatchObject({ fired: true });
      await page.getByRole("link", { name: "Activity", exact: true }).click();
      await page.getByRole("listitem").getByText("Disk at 95 %.").first().waitFor();
      await page.getByText("How a program starts one").click();
      await page.getByRole("button", { name: "Copy the command" }).waitFor();
      await fetch(url, { method: "POST", headers, body: body.replace('"now"', '"later"') });
      await visit("work/inbox");
      await page.getByText("How a program adds to it").click();
      await page.getByRole("button", { name: "Copy the command" }).waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
    },
  },
  {
    title: "a line of the log leads to its run, and the log is narrowed to a range",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator, service }) {
      const { task_id: task } = await operator.post("/api/chat", { body: { message: "Hello", session_id: "logged" } });
      await visit("observe/logs");
      const lines = page.getByRole("group", { name: "Log lines" }).getByRole("listitem");
      await lines.filter({ hasText: task }).waitFor();
      const begins = await lines.evaluateAll((rows) =>
        rows.map((row) => (row.children[2] ?? row).getBoundingClientRect().left),
      );
      expect(new Set(begins).size).toBe(1);
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await page.getByRole("combobox", { name: "Range" }).selectOption("Last 5 minutes");
      await page.waitForURL(/range=5m/);
      service.service.log.info("within the range");
      await lines.getByText("within the range").waitFor();
      await page.getByRole("link", { name: `task=${task}` }).click();
      await page.getByRole("region", { name: "Asked" }).getByText("Hello").waitFor();
    },
  },
  {
    title: "the queue is offered while calls are limited, and not before",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      await visit("observe/logs");
      const queue = page.getByRole("navigation", { name: "Parts of observe" }).getByRole("link", { name: "Queue" });
      await page.getByRole("link", { name: "Logs" }).waitFor();
      expect(await queue.count()).toBe(0);
      await operator.post("/api/settings", { body: { updates: { "model.max_inflight": 2 } } });
      await queue.click();
      await page.getByRole("cell", { name: "0 of 2" }).waitFor();
      await operator.post("/api/settings", { body: { updates: { "model.max_inflight": 0 } } });
      await queue.waitFor({ state: "detached" });
      await page.getByText("Model calls are not limited").waitFor();
    },
  },
];
