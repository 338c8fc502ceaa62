import type { Page } from "playwright-core";
import { expect } from "vitest";
import { violationsAtAllWidths } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

/** Paragraphs that say which they are. */
const paragraphs = (name: string, count: number): string =>
  Array.from({ length: count }, (_, no) => `${name} ${no}.`).join("\n\n");

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

const scrolled = (page: Page) =>
  page.getByRole("log").evaluate((log) => ({
    top: log.scrollTop,
    fromEnd: log.scrollHeight - log.scrollTop - log.clientHeight,
    height: log.scrollHeight,
  }));

export const journeys: readonly Journey[] = [
  {
    title: "who scrolls up by a little while text arrives stays there, and sees that there is more below",
    async run({ page, visit, operator }) {
      await visit("chat/new");
      await say(page, `/say ${paragraphs("Before", 40)}`);
      await page.getByRole("button", { name: "Retry" }).waitFor();
      const log = page.getByRole("log");
      // Line by line, with pauses: it goes on while one scrolls. Typing so many lines would take the browser ten seconds.
      const message = Array.from({ length: 600 }, (_, no) => `/say Line ${no}.\n\n\n/wait 100`).join("\n");
      const session_id = page.url().split("/").at(-1) ?? "";
      const answered = operator.post("/api/chat", { body: { message, session_id } }).catch((error: unknown) => error);
      await log.locator("p", { hasText: /^Line 0\..*Line 3\./s }).waitFor();
      await expect.poll(async () => (await scrolled(page)).fromEnd).toBeLessThan(2);
      await log.hover();
      await page.mouse.wheel(0, -40);
      await expect.poll(async () => (await scrolled(page)).fromEnd).toBeGreaterThan(20);
      const { top, height } = await scrolled(page);
      await expect.poll(async () => (await scrolled(page)).height).toBeGreaterThan(height + 100);
      expect((await scrolled(page)).top).toBe(top);
      await page.getByRole("button", { name: "More below" }).click();
      await expect.poll(async () => (await scrolled(page)).fromEnd).toBeLessThan(2);
      // It follows again.
      const later = await scrolled(page);
      await expect.poll(async () => (await scrolled(page)).height).toBeGreaterThan(later.height);
      await expect.poll(async () => (await scrolled(page)).fromEnd).toBeLessThan(2);
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped", { exact: true }).waitFor();
      await answered;
    },
  },
  {
    title: "what arrives while one reads further up is counted on the button that leads there",
    async run({ page, visit, operator }) {
      await visit("chat/new");
      await say(page, `/say ${paragraphs("Before", 60)}`);
      await page.getByRole("button", { name: "Retry" }).waitFor();
      const log = page.getByRole("log");
      await log.evaluate((one) => one.scrollTo(0, 0));
      await page.getByRole("button", { name: "To the end" }).waitFor();
      const session_id = page.url().split("/").at(-1) ?? "";
      for (const message of ["/say One.", "/say Two."])
        await operator.post("/api/chat", { body: { message, session_id } });
      await page.getByRole("button", { name: "2 new below" }).waitFor();
      expect((await scrolled(page)).top).toBe(0);
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await page.getByRole("button", { name: "2 new below" }).click();
      await log.locator("p", { hasText: /^Two\.$/ }).waitFor();
    },
  },
  {
    title: "keys lead from turn to turn, and the help lists them",
    async run({ page, visit, operator }) {
      const session_id = `keys-${crypto.randomUUID()}`;
      for (const name of ["First", "Second", "Third"]) {
        await operator.post("/api/chat", { body: { message: `/say ${paragraphs(name, 30)}`, session_id } });
      }
      await visit(`chat/${session_id}`);
      const log = page.getByRole("log");
      await log.getByText("Third 29.", { exact: true }).waitFor();
      const focused = () =>
        page.evaluate(() => document.activeElement?.textContent?.match(/(First|Second|Third) 0/)?.[1]);
      await log.focus();
      await page.keyboard.press("Alt+ArrowUp");
      await expect.poll(focused).toBe("Second");
      await page.keyboard.press("k");
      await expect.poll(focused).toBe("First");
      await page.keyboard.press("j");
      await page.keyboard.press("Alt+ArrowDown");
      await expect.poll(focused).toBe("Third");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).getByText("Go to the next turn").waitFor();
    },
  },
  {
    title: "a text is found in the whole conversation, in turns too that were not read yet, and marked",
    async run({ page, visit, operator }) {
      const session_id = `find-${crypto.randomUUID()}`;
      const ask = (message: string) => operator.post("/api/chat", { body: { message, session_id } });
      await ask("/say The first **har**bour, and a second harbour.");
      for (let no = 0; no < 34; no++) await ask(`/say Ship ${no}.`);
      await ask("/say Harbour no. 4.");
      await visit(`chat/${session_id}`);
      const log = page.getByRole("log");
      await log.getByText("Harbour no. 4.", { exact: true }).waitFor();
      await page.keyboard.press("Control+f");
      const find = page.getByRole("search");
      await find.getByRole("textbox").fill("HARBOUR");
      const status = find.getByRole("status");
      // In messages too, as they were written.
      await find.getByText("1 of 5").waitFor();
      const marked = (name: string) =>
        page.evaluate((which) => [...(CSS.highlights.get(which) ?? [])].map(String), name);
      await expect.poll(() => marked("found-now")).toEqual(["Harbour"]);
      await expect.poll(async () => (await marked("found")).length).toBe(2);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await expect.poll(() => status.textContent()).toBe("3 of 5");
      const first = log.getByText("The first harbour, and a second harbour.");
      await first.waitFor();
      await expect.poll(() => marked("found-now")).toEqual(["harbour"]);
      await page.keyboard.press("Enter");
      await expect.poll(() => status.textContent()).toBe("4 of 5");
      const inSight = () =>
        page.evaluate(() => {
          const [range] = CSS.highlights.get("found-now") ?? [];
          const { top = -1 } = range instanceof Range ? range.getBoundingClientRect() : {};
          return top > 80 && top < innerHeight - 200;
        });
      await expect.poll(inSight).toBe(true);
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 780 });
      await find.getByRole("button", { name: "Later match" }).click();
      await expect.poll(() => status.textContent()).toBe("3 of 5");
      await find.getByRole("textbox").fill("nowhere");
      await find.getByText("Not found").waitFor();
      // Nothing of the search before stays marked.
      await expect.poll(() => marked("found-now")).toEqual([]);
      await ask("/say A well-known caf\u00e9, a cafe\u0301.");
      await log.getByText("A well-known").last().waitFor();
      await find.getByRole("textbox").fill("well-known");
      await expect.poll(() => marked("found-now")).toEqual(["well-known"]);
      await find.getByRole("textbox").fill("cafe\u0301");
      await find.getByText("1 of 4").waitFor();
      await expect.poll(() => marked("found-now")).toEqual(["cafe\u0301"]);
      // Of very many, those around the present one are marked.
      await ask(`/say ${"quay ".repeat(1_500)}`);
      await log
        .getByText(/^quay quay/)
        .last()
        .waitFor();
      await find.getByRole("textbox").fill("quay");
      await find.getByText("1 of 3000").waitFor();
      await expect.poll(() => marked("found-now")).toEqual(["quay"]);
      await expect.poll(async () => (await marked("found")).length).toBe(1_000);
      await find.getByRole("textbox").press("Escape");
      await find.waitFor({ state: "detached" });
      expect(await marked("found")).toEqual([]);
    },
  },
];
