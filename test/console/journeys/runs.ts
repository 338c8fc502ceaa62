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
      const [long = 0, short = 0] = await today
        .locator("[data-bar]")
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
      expect(long).toBeGreaterThan(short);
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
];
