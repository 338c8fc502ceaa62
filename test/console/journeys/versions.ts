import type { Page } from "playwright-core";
import { expect } from "vitest";
import { chunkEvent, endEvents, localGateway } from "../../../packages/agent-core/src/testing/index.ts";
import { violationsAtAllWidths } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const answer = (page: Page, text: string) => page.getByRole("log").locator("p", { hasText: new RegExp(`^${text}$`) });
const place = (page: Page, at: number, of: number) =>
  page.getByRole("group", { name: "Versions" }).getByText(`Version ${at}/ of ${of}`);
const listed = (page: Page) => page.getByRole("region", { name: "Conversations" }).getByRole("listitem");

async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await page.keyboard.press("Enter");
}

export const journeys: readonly Journey[] = [
  {
    title: "changes a message and moves between both answers, also after a reload, in one chat of the list",
    service: {},
    async run({ page, visit, operator }) {
      await visit("chat/new");
      await say(page, "/say The sea is blue.");
      await answer(page, "The sea is blue\\.").waitFor();
      await say(page, "/say And deep.");
      await answer(page, "And deep\\.").waitFor();
      const turns = page.getByRole("article", { name: "Turn", exact: true });
      await turns.nth(0).hover();
      await turns.nth(0).getByRole("button", { name: "Change this message" }).click();
      const change = page.getByRole("textbox", { name: "Change the message" });
      await page.keyboard.press("Escape");
      await change.waitFor({ state: "detached" });
      // The keyboard is where it was before.
      await page.keyboard.press("Enter");
      await change.fill("/say The sea is green.");
      await page.getByText("The answer there is now stays, as a version.").waitFor();
      await page.getByRole("button", { name: "Ask this instead" }).click();
      await answer(page, "The sea is green\\.").waitFor();
      expect(await answer(page, "And deep\\.").count()).toBe(0);
      await place(page, 2, 2).waitFor();
      expect(await listed(page).count()).toBe(1);
      await page.getByRole("button", { name: "Version before" }).click();
      await answer(page, "And deep\\.").waitFor();
      await answer(page, "The sea is blue\\.").waitFor();
      await place(page, 1, 2).waitFor();
      // The keyboard is where it was.
      await page.keyboard.press("Enter");
      await answer(page, "The sea is green\\.").waitFor();
      await page.reload();
      await answer(page, "The sea is green\\.").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await visit("chat");
      await listed(page).getByRole("link").click();
      await place(page, 2, 2).waitFor();
      const { sessions } = await operator.get("/api/chat/sessions");
      expect(sessions).toHaveLength(1);
      const id = sessions[0]?.session_id ?? "";
      const exported = await (await operator.get("/api/chat/sessions/{id}/export", { params: { id } })).text();
      for (const said of ["The sea is blue.", "And deep.", "The sea is green."]) expect(exported).toContain(said);
      await page.getByRole("button", { name: "Actions of this chat" }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      await page.getByRole("button", { name: "Delete the chat" }).click();
      await page.waitForURL(/\/chat$/);
      await page.getByText("No conversations yet").waitFor();
      expect((await operator.get("/api/a2a/tasks")).tasks).toEqual([]);
    },
  },
  {
    title: "asks an answer again beside the former one, after a warning where tools were used",
    async run({ page, visit }) {
      await visit("chat/new");
      await say(page, '/call calculator {"expression":"6*7"}\n/then\n/say It is 42.');
      await answer(page, "It is 42\\.").waitFor();
      await page.getByRole("button", { name: "Retry" }).click();
      await page.getByText("What they did is not undone, and they may act again.").waitFor();
      await page.getByRole("button", { name: "Leave it" }).click();
      expect(await page.getByRole("group", { name: "Versions" }).count()).toBe(0);
      await page.getByRole("button", { name: "Retry" }).click();
      await page.getByRole("button", { name: "Ask again" }).click();
      await place(page, 2, 2).waitFor();
      await answer(page, "It is 42\\.").waitFor();
      await page.setViewportSize({ width: 390, height: 780 });
      await page.getByRole("button", { name: "Version before" }).click();
      await place(page, 1, 2).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      await say(page, "/say From the first.");
      await answer(page, "From the first\\.").waitFor();
      await page.getByRole("button", { name: "Version after" }).click();
      await place(page, 2, 2).waitFor();
      expect(await answer(page, "From the first\\.").count()).toBe(0);
    },
  },
  {
    title: "a fork says what it was branched from and leads there",
    async run({ page, visit }) {
      await visit("chat/new");
      await say(page, "/say Where rivers begin.");
      await answer(page, "Where rivers begin\\.").waitFor();
      const before = page.url();
      await page.getByRole("button", { name: "Fork from here" }).click();
      await page.waitForURL((url) => url.href !== before);
      const line = page.getByRole("log").getByText("Branched from");
      await line.waitFor();
      await line.getByRole("link").click();
      await page.waitForURL((url) => url.pathname === new URL(before).pathname);
      await line.waitFor({ state: "detached" });
    },
  },
  {
    title: "quotes what is selected in an answer, behind what is written already",
    async run({ page, visit }) {
      await visit("chat/new");
      await say(page, "/say Rivers begin in springs.");
      await answer(page, "Rivers begin in springs\\.").waitFor();
      await box(page).fill("You wrote:");
      await answer(page, "Rivers begin in springs\\.").selectText();
      await page.getByRole("button", { name: "Quote" }).click();
      await expect.poll(() => box(page).inputValue()).toBe("You wrote:\n\n> Rivers begin in springs.\n\n");
      expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true);
      await page.getByRole("button", { name: "Quote" }).waitFor({ state: "detached" });
      // What a person wrote is not an answer.
      await page.getByRole("article", { name: "You" }).getByText("/say Rivers begin in springs.").selectText();
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect(await page.getByRole("button", { name: "Quote" }).count()).toBe(0);
    },
  },
  {
    title: "has the rest of an answer that was cut off written with one press",
    service: {},
    async run({ page, visit, operator }) {
      const gateway = await localGateway({ steps: [chunkEvent({ content: "Half of" }), endEvents("length")] });
      try {
        const connection = { id: "short", type: "compat-gateway" as const, base_url: gateway.baseUrl, api_key: "key" };
        await operator.post("/api/providers", { body: connection });
        const body = { session_id: "cut", message: "Tell me all of it", model: "short:small" };
        await operator.post("/api/chat", { body });
        await visit("chat/cut");
        await page.getByText("The answer was cut off at the model's output limit.").waitFor();
        await page.getByRole("button", { name: "Continue" }).click();
        await page.getByRole("log").getByText("Continue where your answer was cut off.", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Continue" }).waitFor({ state: "detached" });
      } finally {
        await gateway.close();
      }
    },
  },
  {
    title: "a chat gets a title by the model after its first answer, in the list and at the head",
    service: {},
    async run({ page, visit, operator }) {
      await visit("chat/new");
      await say(page, "/say tell me where the longest rivers of this world begin, please");
      const title = "Tell me where the longest rivers";
      await page.getByRole("heading", { name: title, exact: true }).waitFor();
      await listed(page).getByText(title, { exact: true }).waitFor();
      const { sessions } = await operator.get("/api/chat/sessions");
      expect(sessions.map((session) => session.title)).toEqual([title]);
      await page.getByRole("button", { name: "Actions of this chat" }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      await page.getByRole("textbox", { name: "Title" }).fill("Rivers");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Rivers", exact: true }).waitFor();
    },
  },
];
