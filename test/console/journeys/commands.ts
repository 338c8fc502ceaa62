import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { violationsInThemes } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "a person changes a command before it runs, reads what it writes while it runs, and its result afterwards",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, service }) {
      await visit("chat/new");
      const command = "seq 200; until test -e go; do sleep 0.05; done; echo over";
      await page.getByRole("textbox", { name: "Message" }).fill('/call run_command {"command": "rm -r build"}');
      await page.keyboard.press("Enter");
      const card = page.getByRole("region", { name: "Run rm -r build?" });
      const tokens = card.getByRole("list", { name: "Command, token by token" }).getByRole("listitem");
      await tokens.first().waitFor();
      expect(await tokens.allInnerTexts()).toEqual(["rm", "-r", "build"]);
      await card.getByRole("button", { name: "Edit" }).click();
      await card.getByRole("textbox", { name: "Arguments of run_command" }).fill(JSON.stringify({ command }));
      await card.getByRole("button", { name: "Approve" }).click();
      const output = page.getByRole("group", { name: "Output" });
      await output.getByText("200", { exact: false }).waitFor();
      // The end is in sight.
      const distance = () => output.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
      expect(await distance()).toBeLessThan(2);
      // Also for somebody who comes later.
      await page.reload();
      await output.getByText("200", { exact: false }).waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await page.getByRole("button", { name: "Output", exact: true }).click();
      await output.waitFor({ state: "detached" });
      writeFileSync(join(service.folders.home, "workspace", "go"), "");
      await page.getByRole("button", { name: /^Ran seq 200/ }).click();
      await page.getByRole("group", { name: "Result" }).getByText("over", { exact: false }).waitFor();
      await page.getByRole("button", { name: "Output", exact: true }).waitFor({ state: "detached" });
    },
  },
];
