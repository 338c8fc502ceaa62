/** "Done when" of the hands in the console alone, in a real browser. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { ConsoleRig } from "../console/rig/console-rig.ts";
import { SAYS } from "./hands-model.ts";
import type { Place } from "./place.ts";
import { NOTICE } from "./repository.ts";

/** Takes a picture of what is shown, under a name. */
export type TakePicture = (page: Page, name: string) => Promise<void>;

export async function inTheConsole(place: Place, rig: ConsoleRig, takePicture: TakePicture): Promise<void> {
  await using watched = await rig.open(place.url, { viewport: { width: 1180, height: 740 }, reducedMotion: "reduce" });
  const { page, visit, watch } = watched;
  const file = (path: string): string => join(place.clones, "figures", path);
  const holds = (path: string): string => readFileSync(file(path), "utf8");
  const say = async (text: string): Promise<void> => {
    await page.getByRole("textbox", { name: "Message", exact: true }).fill(text);
    await page.keyboard.press("Enter");
  };

  await visit("projects");
  await page.getByRole("button", { name: "Clone a repository" }).first().click();
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: "Repository" }).fill(place.repository);
  await form.getByRole("button", { name: "May write", exact: true }).click();
  await form.getByRole("button", { name: "Clone it" }).click();
  await page.getByRole("list", { name: "Projects" }).getByRole("heading", { name: "figures" }).waitFor();

  await takePicture(page, "hands-projects");
  await visit("chat/new");
  await say(SAYS.spelling);
  await page.getByText("in line 3", { exact: false }).waitFor();
  assert.match(holds("README.md"), /lists of numbers/);
  const pane = page.getByRole("complementary");
  await pane.getByText("lists of numbers", { exact: false }).waitFor();
  await takePicture(page, "hands-code");

  await say(SAYS.tests);
  const tests = page.getByRole("region", { name: "Run npm test?" });
  await tests.getByRole("list", { name: "Command, token by token" }).waitFor();
  assert.deepEqual(await tests.getByRole("listitem").allTextContents(), ["npm", "test"]);
  await takePicture(page, "hands-command");
  await tests.getByRole("button", { name: "Approve" }).click();
  await page.getByText("All 3 tests pass.").waitFor();

  await say(SAYS.notice);
  const deletion = page.getByRole("region", { name: "Delete OWNERS?" });
  await deletion.getByText("12 B", { exact: false }).waitFor();
  watch.expectLoss();
  await place.kill();
  await page.getByText("The connection to the agent is lost").waitFor();
  await place.start();
  await page.getByText("The connection to the agent is lost").waitFor({ state: "hidden" });
  assert.equal(existsSync(file("OWNERS")), true);
  await takePicture(page, "hands-script");
  await deletion.getByRole("button", { name: "Approve" }).click();
  await page.getByText("30 modules have the new notice; OWNERS is gone.").waitFor();
  assert.equal(existsSync(file("OWNERS")), false);

  // The person's own change, in an editor.
  appendFileSync(file("src/sum.js"), "// What about an empty list?\n");
  await page.getByRole("button", { name: "31 files +30 −31" }).click();
  const changes = page.getByRole("dialog", { name: "What this turn changed in files" });
  await changes.getByRole("checkbox", { name: "31 of 31 files are chosen" }).uncheck();
  await changes.getByRole("button", { name: "Show the difference of src/add.js" }).click();
  await changes.getByText(`+// ${NOTICE.after}`).waitFor();
  for (const path of ["src/add.js", "src/average.js", "src/sum.js"])
    await changes.getByRole("checkbox", { name: path }).check();
  await changes.getByRole("button", { name: "Undo the changes of 3 files" }).click();
  await changes.getByText("left as it is: it was changed since").waitFor();
  await changes.getByRole("button", { name: "Undo them" }).click();
  await changes.getByText("Now they are:").waitFor();
  await takePicture(page, "hands-undone");
  for (const path of ["src/add.js", "src/average.js"]) assert.match(holds(path), new RegExp(NOTICE.before));
  assert.match(holds("src/sum.js"), new RegExp(`^// ${NOTICE.after}\\n.*\\n// What about an empty list`));
  assert.deepEqual(watch.problems, []);
}
