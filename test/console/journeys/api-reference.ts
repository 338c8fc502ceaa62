import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title:
      "a person finds an operation, tries it with the session's token, and is asked before one that changes something",
    service: { config: "auth: {token: the-token-of-the-page}\n", env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, service, operator, expectStatus }) {
      expectStatus(401, 404);
      await operator.post("/api/tasks/issues", { body: { title: "Tidy up", type: "chore", priority: 1 } });
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.method() !== "GET") sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
      });
      await page.goto(`${service.url}/app/docs`);
      await page.getByLabel("The operator's token").fill("the-token-of-the-page");
      await page.getByRole("button", { name: "Show the reference" }).click();
      const find = page.getByRole("searchbox", { name: "Find an operation" });
      await find.fill("tasks issues list");
      const index = page.getByRole("navigation", { name: "Operations" });
      await index.getByRole("link", { name: /GET\s*tasks\/issues$/ }).click();
      const listed = page.locator("section.operation").filter({ has: page.locator("tbody") });
      await listed.getByRole("columnheader", { name: "What it is" }).first().waitFor();
      await listed.getByRole("button", { name: "Try it" }).click();
      await listed.getByRole("textbox", { name: /limit/ }).fill("1");
      await listed.getByRole("button", { name: "Send", exact: true }).click();
      const response = listed.getByRole("region", { name: /^Response 200/ });
      await response.getByText("application/json", { exact: false }).waitFor();
      await response.getByText('"title": "Tidy up"', { exact: false }).waitFor();
      const command = (await listed.getByText(/^curl /).textContent()) ?? "";
      expect(command).toContain(`${service.url}/api/tasks/issues?limit=1'`);
      expect(command).not.toContain("the-token-of-the-page");
      // A deletion is sent only once it is confirmed.
      await page.goto(`${service.url}/app/docs#approvals.forget`);
      await find.fill("approvals grants delete");
      const forget = page.getByRole("button", { name: /DELETE\s*\/api\/approvals\/grants/ });
      await forget.waitFor();
      if ((await forget.getAttribute("aria-expanded")) === "false") await forget.click();
      const deletion = page.locator("section.operation").filter({ has: forget });
      await deletion.getByRole("button", { name: "Try it" }).click();
      await deletion.getByRole("button", { name: "Send", exact: true }).click();
      await deletion.getByText("Enter a value.").waitFor();
      await deletion.getByRole("textbox", { name: /id/ }).fill("none-such");
      await deletion.getByRole("button", { name: "Send", exact: true }).click();
      await deletion.getByRole("alert").getByText("DELETE /api/approvals/grants/none-such").waitFor();
      expect(sent).toEqual([]);
      await deletion.getByRole("button", { name: "Send DELETE now" }).click();
      await deletion.getByRole("region", { name: /^Response 404/ }).waitFor();
      expect(sent).toEqual(["DELETE /api/approvals/grants/none-such"]);
      await page.getByRole("link", { name: "Back to the console" }).click();
      await page.waitForURL(/\/app\/chat/);
      await visit("approvals");
    },
  },
];
