import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { violationsAtAllWidths } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "a person reads what a turn changed in files, undoes some of it, sees what conflicts, and brings it back",
    async run({ page, visit, operator, service }) {
      const folder = join(service.folders.home, "workspace");
      const write = (path: string) => `/call write_file ${JSON.stringify({ path, content: `${path}\n` })}`;
      const message = `${write("one.txt")}\n${write("two.txt")}\n${write("three.txt")}`;
      await operator.post("/api/chat", { body: { message, session_id: "changing" } });
      await visit("chat/changing");
      await page.getByRole("button", { name: "3 files +3 −0" }).click();
      const dialog = page.getByRole("dialog", { name: "What this turn changed in files" });
      await dialog.getByRole("button", { name: "Show the difference of one.txt" }).click();
      await dialog.getByText("+one.txt").waitFor();
      writeFileSync(join(folder, "two.txt"), "mine\n");
      await dialog.getByRole("checkbox", { name: "3 of 3 files are chosen" }).uncheck();
      for (const name of ["one.txt", "two.txt"]) await dialog.getByRole("checkbox", { name }).check();
      await dialog.getByText("2 of 3 files are chosen").waitFor();
      await dialog.getByRole("button", { name: "Undo the changes of 2 files" }).click();
      await dialog.getByText("left as it is: it was changed since").waitFor();
      expect(existsSync(join(folder, "one.txt"))).toBe(true);
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Undo them" }).click();
      await dialog.getByText("Now they are:").waitFor();
      expect([existsSync(join(folder, "one.txt")), readFileSync(join(folder, "two.txt"), "utf8")]).toEqual([
        ...[false, "mine\n"],
      ]);
      await dialog.getByRole("button", { name: "Bring back the changes of 1 file" }).click();
      await dialog.getByRole("button", { name: "Bring them back" }).click();
      await expect.poll(() => existsSync(join(folder, "one.txt"))).toBe(true);
      await dialog.getByRole("button", { name: "Undo the changes of 2 files" }).waitFor();
    },
  },
  {
    title: "going back to a turn leaves files as they are, unless a person says otherwise",
    async run({ page, visit, operator, service }) {
      const file = join(service.folders.home, "workspace", "later.txt");
      const say = (message: string) => operator.post("/api/chat", { body: { message, session_id: "back" } });
      await say("/say First.");
      await say(`/call write_file ${JSON.stringify({ path: "later.txt", content: "x" })}`);
      await visit("chat/back");
      const first = page.getByRole("article", { name: "Turn", exact: true }).nth(0);
      await first.hover();
      await first.getByRole("button", { name: "Go back to here" }).click();
      const files = page.getByRole("checkbox", { name: /^Undo what those turns changed in files/ });
      expect(await files.isChecked()).toBe(false);
      await files.check();
      await page.getByRole("button", { name: "Go back", exact: true }).click();
      await expect.poll(() => existsSync(file)).toBe(false);
    },
  },
];
