import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { violationsInThemes } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title:
      "a person writes a skill, previews it, corrects it, restores a version, begins it by its slash, and deletes it",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator, service: { folders } }) {
      await visit("extensions/skills");
      const list = page.getByRole("list", { name: "Skills" });
      await list.getByRole("link", { name: "code-review" }).waitFor();
      await page.getByRole("button", { name: "New skill" }).click();
      const dialog = page.getByRole("dialog", { name: "New skill" });
      await dialog.getByRole("textbox", { name: "Name" }).fill("Tea");
      await dialog.getByText("Small letters, digits and single hyphens").waitFor();
      await dialog.getByRole("textbox", { name: "Name" }).fill("tea");
      await dialog.getByRole("textbox", { name: "Description" }).fill("Makes tea. Use it for tea.");
      await dialog.getByRole("textbox", { name: "Instructions" }).fill("# Tea\n\nBoil the **water**.");
      await dialog.getByRole("button", { name: "Preview" }).click();
      await dialog.getByRole("heading", { name: "Tea", exact: true }).waitFor();
      await dialog.getByRole("checkbox", { name: "Begin it by a slash command" }).check();
      await dialog.getByRole("textbox", { name: "Command" }).fill("brew");
      expect(await violationsInThemes(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Save it" }).click();
      await page.getByText("tea counts from the next turn.").waitFor();

      await list.getByRole("link", { name: "tea", exact: true }).click();
      await page.getByText("Yours · /brew").waitFor();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "Instructions" }).fill("Boil it longer.");
      await page.getByRole("textbox", { name: "Reason" }).fill("It was weak.");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Boil it longer.").waitFor();
      await page.getByRole("button", { name: "Versions" }).click();
      const versions = page.getByRole("list", { name: "Versions of tea" });
      await versions.getByText("It was weak.").waitFor();
      await versions.getByRole("button", { name: "Read version 1" }).click();
      await versions.getByText("Boil the **water**.").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await versions.getByRole("button", { name: "Restore version 1" }).click();
      await versions.getByRole("heading", { name: "Version 3" }).waitFor();

      const { commands } = await operator.get("/api/chat/commands");
      expect(commands).toContainEqual(expect.objectContaining({ name: "brew", kind: "skill" }));
      const broken = join(folders.config, "skills", "broken");
      mkdirSync(broken);
      writeFileSync(join(broken, "SKILL.md"), "no head");
      await page.getByRole("link", { name: "All skills" }).click();
      await list.getByText("It does nothing: it has to begin with a line ---.").waitFor();
      await page.getByRole("button", { name: "Actions of tea" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete it" }).click();
      await list.getByRole("link", { name: "tea", exact: true }).waitFor({ state: "detached" });
    },
  },
];
