import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

const CANARY = "canary-77c2";

export const journeys: readonly Journey[] = [
  {
    title: "an incognito chat says what is not kept, shows no text in lists, and is gone once it is closed",
    service: {},
    async run({ page, visit, operator, expectStatus }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await page.getByRole("button", { name: "Incognito", exact: true }).click();
      await page.getByText("nothing of this conversation is kept").waitFor();
      await box.fill(`/say The ${CANARY} answer.`);
      await page.keyboard.press("Enter");
      await page
        .getByRole("log")
        .locator("p", { hasText: new RegExp(`^The ${CANARY} answer\\.$`) })
        .waitFor();
      const banner = page.getByRole("region", { name: "Incognito" });
      await banner.getByText("Not kept: messages, answers, titles, prompts, files and memory.").waitFor();
      await page.getByRole("heading", { name: "Incognito chat" }).waitFor();
      const list = page.getByRole("region", { name: "Conversations" });
      await list.getByRole("link", { name: /Incognito chat/ }).waitFor();
      expect(await list.textContent()).not.toContain(CANARY);
      expect(await page.getByRole("button", { name: "Incognito", exact: true, pressed: true }).isDisabled()).toBe(true);
      await box.fill(`/say And the ${CANARY} again.`);
      await page.keyboard.press("Enter");
      await page
        .getByRole("log")
        .locator("p", { hasText: new RegExp(`^And the ${CANARY} again\\.$`) })
        .waitFor();
      expect(await page.getByRole("button", { name: "Fork from here" }).count()).toBe(0);
      // Leaving it keeps it; what is written and not sent is in the page alone.
      await box.fill(`Unsent ${CANARY}`);
      const id = page.url().split("/").at(-1) ?? "";
      const { tasks } = await operator.get("/api/a2a/tasks", { query: { session_id: id } });
      expect(tasks.map(({ incognito, input }) => [incognito, input])).toEqual([
        [true, ""],
        [true, ""],
      ]);
      await visit("tasks");
      expect(await page.locator("main").textContent()).not.toContain(CANARY);
      await visit(`chat/${id}`);
      await page.getByText(`The ${CANARY} answer.`).first().waitFor();
      expectStatus(404);
      await page.getByRole("button", { name: "Close and erase" }).click();
      await page.waitForURL(/\/chat$/);
      await list.getByRole("link", { name: /Incognito chat/ }).waitFor({ state: "detached" });
      const kept = await page.evaluate(async () => {
        const { promise, resolve } = Promise.withResolvers<unknown[]>();
        indexedDB.open("agent-service").addEventListener("success", ({ target }) => {
          const { result } = target as IDBOpenDBRequest;
          const request = result.transaction("draft-files").objectStore("draft-files").getAll();
          request.addEventListener("success", () => resolve(request.result));
        });
        return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await promise]);
      });
      expect(kept).not.toContain(CANARY);
      expect(kept).not.toContain(id);
      await page.goBack();
      await expect.poll(() => page.locator("main").textContent()).not.toContain(CANARY);
    },
  },
  {
    title:
      "a person pins a chat, renames it where it stands, finds chats by day, and has tabs only where they want them",
    service: {},
    async run({ page, visit, operator }) {
      for (const session_id of ["one", "two"])
        await operator.post("/api/chat", { body: { message: `/say About ${session_id}`, session_id } });
      await visit("chat");
      const list = page.getByRole("region", { name: "Conversations" });
      const group = (name: string) => list.getByRole("list", { name });
      await group("Today").getByRole("link").nth(1).waitFor();
      expect(await group("Pinned").count()).toBe(0);
      const one = list.getByRole("listitem").filter({ hasText: "About one" });
      await one.hover();
      await one.getByRole("button", { name: /^Actions of/ }).click();
      await page.getByRole("menuitem", { name: "Pin" }).click();
      await group("Pinned")
        .getByRole("link", { name: /About one/ })
        .focus();
      await page.keyboard.press("F2");
      await page.getByRole("textbox", { name: "Title" }).fill("First things");
      await page.keyboard.press("Enter");
      await group("Pinned")
        .getByRole("link", { name: /First things/ })
        .waitFor();
      await group("Today")
        .getByRole("link", { name: /About two/ })
        .dblclick();
      await page.getByRole("textbox", { name: "Title" }).fill("Not this");
      await page.keyboard.press("Escape");
      await group("Today")
        .getByRole("link", { name: /About two/ })
        .click();
      await group("Pinned")
        .getByRole("link", { name: /First things/ })
        .click();
      await page.getByRole("heading", { name: "First things" }).waitFor();
      const tabs = page.getByRole("navigation", { name: "Open chats" });
      expect(await tabs.count()).toBe(0);
      await visit("settings/appearance");
      await page.getByRole("switch", { name: "Tabs for open chats" }).check();
      await visit("chat/one");
      await page.getByRole("heading", { name: "First things" }).waitFor();
      await visit("chat/two");
      await tabs.getByRole("link", { name: "First things" }).waitFor();
      expect(await operator.get("/api/chat/sessions/{id}", { params: { id: "one" } })).toMatchObject({
        title: "First things",
        pinned: true,
      });
    },
  },
];
