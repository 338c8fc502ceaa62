import { expect } from "vitest";
import { localGateway, textReply } from "../../../packages/agent-core/src/testing/index.ts";
import { violationsAtAllWidths } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "a person compares a time with the one before, opens the runs of a bar, and chooses dates",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      const { task_id: task } = await operator.post("/api/chat", {
        body: { message: "/say Hello", session_id: "compared" },
      });
      await visit("observe/telemetry?range=1h");
      const terms = page.getByRole("main").locator("dt");
      await terms.getByText("95th percentile", { exact: true }).waitFor();
      await terms.getByText("Median", { exact: true }).waitFor();
      await page.getByText("Nothing before").first().waitFor();
      const turns = page.locator("figure").filter({ has: page.getByRole("heading", { name: "Turns", exact: true }) });
      await turns.getByText("The time before").waitFor();
      await turns.getByText("As a table: Turns").click();
      await turns.getByRole("link", { name: /1 run$/ }).click();
      await page.waitForURL(/\/tasks\?from=.*&to=/);
      await page.getByRole("link", { name: "/say Hello" }).waitFor();
      await page.getByText(/^From .* until /).waitFor();
      await page.goBack();
      await page.getByRole("link", { name: "Those that failed" }).click();
      await page.getByText("No such run").waitFor();
      await page.getByRole("link", { name: "Show all times" }).waitFor();
      await page.goBack();
      await page.getByRole("button", { name: "Dates" }).click();
      const today = new Date().toLocaleDateString("sv");
      await page.getByLabel("From", { exact: true }).fill(today);
      await page.getByLabel("To, included").fill(today);
      await page.getByRole("button", { name: "Show" }).click();
      await page.waitForURL(new RegExp(`from=${today}.*to=${today}`));
      await turns.getByText("The time before").waitFor();
      expect(task).not.toBe("");
    },
  },
  {
    title: "a person opens the runs of a model and of a tool, and takes the filters out again",
    async run({ page, visit, operator }) {
      const say = (message: string) => operator.post("/api/chat", { body: { message, session_id: "drilled" } });
      await say('/call calculator {"expression": "6 * 7"}');
      await say("/say Nothing to reckon");
      await visit("observe/telemetry?range=24h");
      const tools = page.getByRole("group", { name: "Figures by tool" });
      await tools.locator("[data-bar]").first().waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await tools.getByRole("link", { name: "calculator: show its runs" }).click();
      await page.waitForURL(/\/tasks\?.*tool=calculator/);
      const reckoned = page.getByRole("link", { name: /6 \* 7/ });
      const plain = page.getByRole("link", { name: "/say Nothing to reckon" });
      await reckoned.waitFor();
      expect(await plain.count()).toBe(0);
      const chips = page.getByRole("list", { name: "Only runs" });
      await chips.getByText("Called calculator").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await chips.getByRole("link", { name: "Show every tool" }).click();
      await plain.waitFor();
      await chips.getByText("Called calculator").waitFor({ state: "detached" });
      await chips.getByRole("link", { name: "Show all times" }).click();
      await chips.waitFor({ state: "detached" });
      await page.goBack();
      await page.goBack();
      await page.goBack();
      const models = page.getByRole("group", { name: "Figures by model" });
      await models
        .getByRole("link", { name: /show its runs$/ })
        .first()
        .click();
      await page.waitForURL(/\/tasks\?.*model=/);
      await chips.getByText(/^Answered by /).waitFor();
      await plain.waitFor();
      await reckoned.waitFor();
    },
  },
  {
    title: "a person enters a price where the cost of a model is missing, and the next turn has a cost",
    async run({ page, visit, operator }) {
      const gateway = await localGateway(textReply("Hi"));
      try {
        gateway.list([{ id: "house-model" }]);
        await operator.post("/api/providers", {
          body: { id: "priced", type: "compat-gateway", base_url: gateway.baseUrl, api_key: "a-key" },
        });
        const say = () =>
          operator.post("/api/chat", {
            body: { message: "Hello", session_id: "priced-1", model: "priced:house-model" },
          });
        await say();
        await visit("observe/telemetry?range=1h");
        await page.getByRole("button", { name: "Set a price for house-model" }).click();
        const form = page.getByRole("form", { name: "Price of house-model" });
        await form.getByLabel("Dollars per million tokens in").fill("1000");
        await form.getByLabel("Out").fill("1000");
        await form.getByRole("button", { name: "Save" }).click();
        await form.waitFor({ state: "detached" });
        expect(
          (await operator.get("/api/providers")).providers.find(({ id }) => id === "priced")?.models,
        ).toMatchObject({
          "house-model": { price: { input: 1000, output: 1000 } },
        });
        await say();
        // 10 tokens in and 5 out, as the gateway reports them.
        await page.getByRole("cell", { name: "$0.01", exact: false }).first().waitFor();
      } finally {
        await operator.delete("/api/providers/{id}", { params: { id: "priced" } }).catch(() => undefined);
        await gateway.close();
      }
    },
  },
];
