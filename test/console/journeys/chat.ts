import type { Journey } from "../rig/journey.ts";

const SCRIPT = [
  "/think I look at it first",
  '/call calculator {"expression":"2+3"}',
  "/then",
  "/say It is **five**",
  "/wait 1500",
  "/say and that is `all`.",
].join("\n");

export const journeys: readonly Journey[] = [
  {
    title: "a person says something, sees the answer come with its steps, and finds it again mid-stream after a reload",
    async run({ page, visit }) {
      await visit("chat");
      await page.getByRole("textbox", { name: "Message" }).fill(SCRIPT);
      await page.keyboard.press("Enter");
      await page.locator("strong", { hasText: "five" }).waitFor();
      await page.waitForURL(/\/chat\/chat-/);
      await page.reload();
      await page.locator("strong", { hasText: "five" }).waitFor();
      await page.getByRole("button", { name: "Thought" }).waitFor();
      await page.getByRole("button", { name: /^calculator/ }).click();
      await page.getByText('"expression": "2+3"').waitFor();
      await page.locator("code", { hasText: "all" }).waitFor();
      await page.getByRole("button", { name: "Copy answer" }).waitFor();
    },
  },
  {
    title: "a person answers a question where it is asked, and stops a turn that takes too long",
    async run({ page, visit }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await box.fill('/call ask_human {"question":"Which day?"}\n/then\n/say Thanks for it.');
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Which day?" }).fill("Monday");
      await page.getByRole("button", { name: "Answer", exact: true }).click();
      await page.locator("p", { hasText: /^Thanks for it\.$/ }).waitFor();
      await box.fill("/wait 60000");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Canceled").waitFor();
    },
  },
];
