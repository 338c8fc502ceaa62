import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { TestService } from "../../../apps/server/src/testing/test-service.ts";
import { violationsAtAllWidths } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

const service = { config: "filesystem: {code_pane: true}\n", env: { SVC_HEADLESS_SETUP: "true" } };

/** Puts a repository into the workspace whose files differ from its commit in every way. */
function makeProject({ folders }: TestService): string {
  const root = join(folders.home, "workspace");
  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const git = (...args: string[]): void => {
    const who = ["-c", "user.name=n", "-c", "user.email=e@example.org"];
    execFileSync("git", [...who, ...args], { cwd: root, stdio: "pipe" });
  };
  const lines = (word: string) =>
    Array.from({ length: 20_000 }, (_, no) => `export const ${word}${no} = ${no};\n`).join("");
  put("src/many.ts", lines("item"));
  put("src/short.ts", "one\ntwo\nthree\n");
  put("src/old.ts", "gone\n");
  put("src/before.ts", "the same\n");
  put("image.png", Buffer.from([0x89, 0, 1]));
  put(".env", "KEY=canary");
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "one");
  git("mv", "src/before.ts", "src/after.ts");
  rmSync(join(root, "src/old.ts"));
  put("src/short.ts", "one\n2\nthree\n");
  put("image.png", Buffer.from([0x89, 0, 2]));
  put(".env", "KEY=another canary");
  return root;
}

async function say(page: Page, message: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(message);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Retry" }).last().waitFor();
}

const show = (args: object): string => `/call show_code ${JSON.stringify(args)}`;

export const journeys: readonly Journey[] = [
  {
    title: "a person walks through a project's files, goes to a line, and reads what differs from the last commit",
    service,
    async run({ page, visit, service: running, expectStatus }) {
      expectStatus(400, 403, 404);
      const root = makeProject(running);
      await visit("files");
      await page.getByRole("link", { name: "src" }).click();
      await page.getByRole("link", { name: "many.ts" }).click();
      const code = page.getByRole("group", { name: "src/many.ts, 20,000 lines" });
      await code.getByText("export const item0 = 0;").waitFor();
      const line = page.getByRole("textbox", { name: "Go to line" });
      await line.fill("19990-19992");
      await line.press("Enter");
      await code.getByText("export const item19990 = 19990;").waitFor();
      expect(new URL(page.url()).searchParams.get("lines")).toBe("19990-19992");
      expect(await code.locator("[data-chosen]").count()).toBe(3);
      // Of 20,000 lines only those near what is in sight are there.
      expect(await code.getByRole("link").count()).toBeLessThan(150);
      // The address leads to the line again, and a line's number is its address.
      await page.reload();
      await code.getByText("export const item19990 = 19990;").waitFor();
      await code.getByRole("link", { name: "Line 19995" }).click();
      await expect.poll(() => code.locator("[data-chosen]").count()).toBe(1);
      expect(new URL(page.url()).searchParams.get("lines")).toBe("19995");
      expect(await violationsAtAllWidths(page)).toEqual([]);
      for (const [path, words] of [
        [".env", "Its name is one of those that hold secrets"],
        ["image.png", "This is no text"],
        ["src", "This is no file to read"],
        ["none.ts", "There is no such file"],
        ["../x", "This is in no project"],
      ] as const) {
        await page.goto(`${running.url}/app/files?${new URLSearchParams({ project: "workspace", path })}`);
        await page.getByText(words).waitFor();
      }
      await page.goto(`${running.url}/app/files?project=gone&path=a.ts`);
      await page.getByText("There is no project “gone” any more").waitFor();
      await page.goto(`${running.url}/app/files`);
      await page.getByRole("link", { name: "Changes" }).click();
      const files = page.getByRole("group", { name: "Files that differ" });
      await files.getByRole("button", { name: /short\.ts/ }).waitFor();
      expect(await files.getByRole("button").allTextContents()).toEqual([
        "M.envchangednot shown",
        "Mimage.pngchangedbinary",
        "Rafter.tssrc/renamed ",
        "Dold.tssrc/deleted −1",
        "Mshort.tssrc/changed+1 −1",
      ]);
      await files.getByRole("button", { name: /short\.ts/ }).click();
      const patch = page.getByRole("group", { name: "Difference of src/short.ts" });
      expect(await patch.textContent()).toContain("2−two2+2");
      await files.getByRole("button", { name: /\.env/ }).click();
      await page.getByText("nothing of it is shown").waitFor();
      await files.getByRole("button", { name: /after\.ts/ }).click();
      await page.getByText("src/before.ts →").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      rmSync(join(root, ".git"), { recursive: true });
      await page.getByRole("button", { name: "Read again" }).click();
      await page.getByText("lies in no git repository").waitFor();
    },
  },
  {
    title: "what the agent shows opens beside the chat while a person follows, without the focus, and from its card",
    service,
    async run({ page, visit, service: running }) {
      makeProject(running);
      await visit("chat/new");
      await say(page, show({ path: "src/short.ts", start: 2, note: "Here it waits." }));
      const pane = page.getByRole("complementary");
      await pane.getByRole("heading", { name: "src/short.ts" }).waitFor();
      await pane.getByText("Here it waits.").waitFor();
      expect(await pane.locator("[data-chosen]").textContent()).toContain("2");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("composer");
      await say(page, show({ path: "src/many.ts", start: 500, end: 502 }));
      await pane.getByText("export const item500 = 500;").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await pane.getByRole("button", { name: "Changes" }).click();
      await pane.getByRole("button", { name: /short\.ts/ }).click();
      await pane.getByRole("button", { name: "Open the file" }).click();
      await pane.getByText("three").waitFor();
      await pane.getByRole("switch", { name: "Follow" }).uncheck();
      await say(page, show({ path: "src/after.ts" }));
      const card = page.getByRole("button", { name: "src/after.ts workspace" });
      await card.waitFor();
      await pane.getByText("three").waitFor();
      await pane.getByRole("switch", { name: "Follow" }).check();
      await pane.getByText("the same").waitFor();
      await pane.getByRole("button", { name: "Close" }).click();
      await pane.waitFor({ state: "detached" });
      await page.reload();
      await card.click();
      await pane.getByText("the same").waitFor();
      await page.setViewportSize({ width: 390, height: 780 });
      const sheet = page.getByRole("dialog", { name: "src/after.ts" });
      await sheet.getByText("the same").waitFor();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      // Nothing covers the conversation of a phone by itself.
      await say(page, show({ path: "src/short.ts" }));
      await page.getByRole("button", { name: "src/short.ts workspace", exact: true }).last().waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
    },
  },
];
