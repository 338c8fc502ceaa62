import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title:
      "settings stand in groups with a name and a sentence each, are searched from anywhere, and say where they come from",
    async run({ page, visit }) {
      await visit("settings");
      const files = page.getByRole("main").getByRole("region", { name: "Files and commands" });
      await files.getByRole("link", { name: "Files, New projects, Scripts" }).click();
      await page.getByRole("region", { name: "Sandbox" }).getByRole("link", { name: "Projects" }).waitFor();
      await page.goBack();
      const models = page.getByRole("main").getByRole("region", { name: "Models" });
      await models.getByText("Which models answer", { exact: false }).waitFor();
      await models.getByRole("link", { name: /^Default model, / }).click();
      await page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
      await page.getByRole("region", { name: "Long conversations" }).getByText("Replaces the older part").waitFor();
      const links = await page.getByRole("navigation", { name: "Settings" }).getByRole("link").allTextContents();
      expect(links.at(-1)).toBe("All settings");
      expect(links).not.toContain("Box");
      await visit("settings");
      await page
        .getByRole("main")
        .getByRole("searchbox", { name: "Search all settings" })
        .last()
        .pressSequentially("this machine store");
      await page.getByRole("heading", { level: 1, name: "Found settings" }).waitFor();
      expect(await page.getByRole("main").getByRole("searchbox").last().inputValue()).toBe("this machine store");
      const telemetry = page.getByRole("region", { name: "Telemetry" });
      await telemetry.getByText("After a restart").first().waitFor();
      await telemetry.getByText("Default").first().waitFor();
      await page.setViewportSize({ width: 390, height: 760 });
      await visit("settings");
      await page.getByText("Which models answer", { exact: false }).first().waitFor();
      await page.getByRole("searchbox", { name: "Search all settings" }).first().fill("temperature");
      await page.getByRole("heading", { level: 1, name: "Found settings" }).waitFor();
      expect(
        await page
          .getByRole("searchbox")
          .last()
          .evaluate((box) => box === document.activeElement),
      ).toBe(true);
    },
  },
];
