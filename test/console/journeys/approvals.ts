import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "a person sees what waits, changes the arguments of a call, and approves it",
    async run({ page, visit, operator, service }) {
      const message = '/call current_time {"timezone":"Europe/Rome"}';
      const { task_id } = await operator.post("/api/chat", { body: { message, session_id: "approving" } });
      await visit("approvals");
      await page.getByText("Europe/Rome").waitFor();
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await page.getByRole("textbox", { name: "Arguments of current_time" }).fill('{"timezone": "Asia/Tokyo"}');
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByText("Nothing waits for you").waitFor();
      const task = await service.service.core.service.get(task_id);
      await task?.settled();
      expect(JSON.stringify(task?.view)).toContain("Asia/Tokyo");
    },
  },
];
