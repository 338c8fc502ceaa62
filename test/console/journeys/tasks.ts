import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

const research = { description: "look", prompt: '/call calculator {"expression":"6*7"}', subagent_type: "researcher" };
const message = `Count the stars\n/call task ${JSON.stringify(research)}\n/then\n/call ask_human {"question":"Shall I go on?"}`;

export const journeys: readonly Journey[] = [
  {
    title: "a person finds a task, reads what happened in it down to a subagent's call, saves that, and cancels it",
    async run({ page, visit, operator }) {
      const { task_id } = await operator.post("/api/chat", { body: { message, session_id: "timeline" } });
      await visit("tasks");
      await page.getByRole("link", { name: "Waiting for you", exact: true }).click();
      await page.getByRole("link", { name: /Count the stars/ }).click();
      await page.getByRole("heading", { level: 1, name: "Count the stars" }).waitFor();
      const timeline = page.getByRole("region", { name: "Timeline" });
      await timeline.getByText("task (researcher)").waitFor();
      await timeline.getByText("calculator", { exact: true }).click();
      await timeline.getByText('"expression": "6*7"').waitFor();
      await timeline.getByText("researcher, 4 steps").click();
      await timeline.getByText('"expression": "6*7"').waitFor({ state: "hidden" });

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Export as HTML" }).click(),
      ]);
      const file = await readFile(await download.path(), "utf8");
      expect(file).toMatch(/^<!doctype html>.*<style>.*--color-accent.*task \(researcher\).*6\*7/s);
      expect(file).not.toMatch(/<script|<link|src=/);

      await page.getByRole("button", { name: "Copy as curl" }).click();
      await page.getByText(`{"id":"${task_id}"}`).first().waitFor();
      await page.keyboard.press("Escape");

      await page.getByRole("link", { name: "Protocol messages" }).click();
      await page
        .getByRole("region", { name: "Protocol messages" })
        .getByText("TASK_STATE_INPUT_REQUIRED")
        .first()
        .waitFor();

      await page.getByRole("button", { name: "Cancel run" }).click();
      await page.getByRole("button", { name: "Cancel the run" }).click();
      await page.getByText("Canceled", { exact: true }).waitFor();
      expect((await operator.get("/api/a2a/tasks/{id}/journal", { params: { id: task_id } })).task.state).toBe(
        "canceled",
      );
    },
  },
];
