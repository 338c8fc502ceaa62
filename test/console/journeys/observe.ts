import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "a person reads what turns cost as charts and as a table, and exports them",
    async run({ page, visit, operator }) {
      await operator.post("/api/chat", {
        body: { message: '/call calculator {"expression":"6*7"}', session_id: "costs-1" },
      });
      await visit("observe/telemetry?range=1h");
      await page.getByRole("heading", { name: "Tokens" }).waitFor();
      await page.locator("canvas").first().waitFor();
      await page.getByText("As a table: Tokens").click();
      await page.getByRole("columnheader", { name: "Input" }).waitFor();
      await page
        .getByRole("group", { name: "Figures by tool" })
        .getByRole("cell", { name: "calculator" })
        .first()
        .waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Export CSV" }).click(),
      ]);
      const csv = await readFile(await download.path(), "utf8");
      expect(csv).toContain("task_id,");
      expect(csv).toContain("costs-1");
    },
  },
  {
    title: "a person reads what the model was sent, and how it differs from another call",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      const say = () => operator.post("/api/chat", { body: { message: "Good morning", session_id: "prompts" } });
      await say();
      await operator.post("/api/config", { body: { soul: "You are terse." } });
      const { task_id: task } = await say();
      await visit("observe/prompts");
      await page.getByRole("link", { name: "Good morning" }).first().waitFor();
      await page.getByRole("textbox", { name: "Run" }).fill(task);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByText("added: You are terse.").waitFor();
      await page.reload();
      await page.getByText("added: You are terse.").waitFor();
      await page.getByRole("combobox", { name: "Compare with" }).selectOption("Nothing");
      await page.getByRole("heading", { name: "The same in every call" }).waitFor();
    },
  },
  {
    title: "calls with the same instructions are told apart by their messages, and a turn is sent again in a fork",
    async run({ page, visit, operator }) {
      const { task_id: task } = await operator.post("/api/chat", {
        body: { message: 'Count\n/call calculator {"expression":"6*7"}', session_id: "told-apart" },
      });
      await visit(`observe/prompts/${task}?call=2`);
      await page.getByText("The instructions are the same as in call 1.").waitFor();
      const messages = page.getByRole("region", { name: "Messages" });
      await messages.getByText("2 added against call 1").waitFor();
      await messages.getByText("Result of calculator").waitFor();
      await page.getByRole("searchbox", { name: "Find in the messages" }).fill("6*7");
      await messages.locator("mark", { hasText: "6*7" }).first().waitFor();
      await page.getByRole("button", { name: "Model: demo" }).click();
      // The list of the composer: every model of every connection, not the favourites alone.
      await page.getByRole("textbox", { name: "Search models" }).fill("demo");
      await page.getByRole("list", { name: "Default" }).getByRole("button", { name: /^demo/ }).click();
      await page.getByRole("button", { name: "Model: scripted:demo" }).waitFor();
      await page.getByRole("button", { name: "Send in a fork" }).click();
      await page.waitForURL((url) => /\/chat\/(?!told-apart)/.test(url.pathname));
      await page.getByText("42").first().waitFor();
      expect(
        (await operator.get("/api/chat/sessions/{id}/turns", { params: { id: "told-apart" } })).turns,
      ).toHaveLength(1);
    },
  },
  {
    title: "a person follows the log, and keeps to the errors",
    async run({ page, visit, service }) {
      await visit("observe/logs");
      await page.getByRole("checkbox", { name: "Follow" }).waitFor();
      service.service.log.info("a ship came in");
      service.service.log.error({}, "a ship went down");
      await page.getByText("a ship went down").waitFor();
      await page.getByText("a ship came in").waitFor();
      await page.getByRole("combobox", { name: "Level" }).selectOption("Errors");
      await page.getByText("a ship came in").waitFor({ state: "detached" });
      await page.getByText("a ship went down").waitFor();
    },
  },
  {
    title: "on a phone no page of figures is wider than the screen, and the reference breaks no word",
    async run({ page, visit, operator }) {
      await operator.post("/api/chat", {
        body: { message: '/call calculator {"expression":"6*7"}', session_id: "costs-on-a-phone" },
      });
      await page.setViewportSize({ width: 375, height: 700 });
      await visit("observe/telemetry?range=1h");
      await page.getByRole("heading", { name: "By tool" }).waitFor();
      await page.getByRole("cell", { name: "calculator" }).first().waitFor();
      const widest = await page.evaluate(() =>
        Math.max(...[...document.querySelectorAll("main section, main figure")].map((one) => one.scrollWidth)),
      );
      expect(widest).toBeLessThanOrEqual(375);
      await page.goto(page.url().replace(/\/app\/.*/, "/app/docs#telemetry.summary"));
      await page.locator(".operation tbody td").first().waitFor();
      const broken = await page.evaluate(() =>
        [...document.querySelectorAll(".operation tbody td:nth-child(2)")].flatMap((cell) => {
          const { firstChild } = cell;
          if (firstChild === null || /\s/.test(cell.textContent ?? "")) return [];
          const range = document.createRange();
          range.selectNodeContents(firstChild);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [cell.textContent] : [];
        }),
      );
      expect(broken).toEqual([]);
      await page.getByRole("link", { name: "Back to the console" }).click();
      await page.waitForURL(/\/app\/chat/);
    },
  },
];
