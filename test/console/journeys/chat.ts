import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

const SCRIPT = [
  "/think I look at it first",
  '/call calculator {"expression":"2+3"}',
  "/then",
  "/say It is **five**",
  "/wait 1500",
  "/say and that is `all`.\n\n```ts\nconst day = 1;\n```",
].join("\n");

export const journeys: readonly Journey[] = [
  {
    title:
      "a person sends a message, sees the answer arrive with its steps, and finds it again mid-stream after a reload",
    async run({ page, visit }) {
      await visit("chat");
      await page.getByRole("textbox", { name: "Message" }).fill(SCRIPT);
      await page.keyboard.press("Enter");
      await page.locator("strong", { hasText: "five" }).waitFor();
      await page.waitForURL(/\/chat\/chat-/);
      await page.reload();
      await page.locator("strong", { hasText: "five" }).waitFor();
      const steps = page.getByRole("button", { name: "2 steps" });
      await steps.click();
      await page.getByRole("button", { name: "Thought" }).waitFor();
      await page.getByRole("button", { name: "2+3 = 5" }).click();
      await page.getByText('"expression": "2+3"').waitFor();
      await page.locator("code", { hasText: "all" }).waitFor();
      await page.getByRole("button", { name: "Copy answer" }).waitFor();
      await page.locator("pre span[style]", { hasText: "const" }).waitFor();
      await page.reload();
      // Read from the store, they are the steps that were streamed, in the same words.
      await steps.click();
      await page.getByRole("button", { name: "2+3 = 5" }).waitFor();
      await page.getByRole("button", { name: "Thought" }).click();
      await page.getByText("I look at it first", { exact: true }).waitFor();
    },
  },
  {
    title: "a person chooses a model, answers a question where it is asked, and stops a turn that takes too long",
    async run({ page, visit, operator }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await operator.post("/api/settings", { body: { updates: { "model.favorites": ["scripted:second"] } } });
      await page.getByRole("button", { name: /^Model: / }).click();
      const menu = page.getByRole("dialog", { name: "Model of the next messages" });
      // The default is a favourite too, and stands once.
      await menu.getByRole("button", { name: /^demo/ }).waitFor();
      expect(await menu.getByRole("button", { name: /^demo/ }).count()).toBe(1);
      await menu.getByRole("button", { name: "Favourite demo" }).click();
      await menu.getByRole("button", { name: "Favourite demo", pressed: true }).waitFor();
      expect(await menu.getByRole("button", { name: /^demo/ }).count()).toBe(1);
      await menu.getByLabel("Search models").fill("nothing like it");
      await menu.getByText("No model has this name.").waitFor();
      await menu.getByLabel("Search models").fill("SEC");
      await menu.getByRole("button", { name: /^second/ }).click();
      await menu.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Model: scripted:second" }).waitFor();
      await box.fill('/call ask_human {"question":"Which day?"}\n/then\n/say Thanks for it.');
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/chat\/chat-/);
      await page.getByRole("link", { name: /Which day.*Waiting for you/ }).waitFor();
      await page.getByRole("textbox", { name: "Which day?" }).fill("Monday");
      await page.getByRole("region", { name: "Which day?" }).getByRole("button", { name: "Answer" }).click();
      await page.locator("p", { hasText: /^Thanks for it\.$/ }).waitFor();
      const session_id = page.url().split("/").at(-1) ?? "";
      const [turn] = (await operator.get("/api/chat/sessions/{id}/turns", { params: { id: session_id } })).turns;
      expect(turn?.model).toBe("second");
      await operator.post("/api/settings/reset", { body: { keys: ["model.favorites"] } });
      await box.fill("/say It takes **long**\n/wait 600000");
      await page.keyboard.press("Enter");
      await page.locator("strong", { hasText: "long" }).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped", { exact: true }).waitFor();
      await page.reload();
      await page.locator("strong", { hasText: "long" }).waitFor();
    },
  },
  {
    title: "a person chooses how much a model thinks, where it has a choice, and finds it on the run's page",
    service: {
      config: `
providers:
  - { id: demo, type: scripted, models: { thinker: { reasoning_efforts: [low, high] } } }
model: { name: "demo:thinker", favorites: ["demo:plain"] }
`,
      env: { SVC_HEADLESS_SETUP: "true" },
    },
    async run({ page, visit, operator }) {
      await visit("chat/new");
      const effort = page.getByRole("button", { name: /^Reasoning effort: / });
      await page.getByRole("button", { name: "Reasoning effort: the model's own" }).click();
      const menu = page.getByRole("dialog", { name: "Reasoning effort of the next messages" });
      await menu.getByRole("button", { name: /^Default/, pressed: true }).waitFor();
      await menu.getByRole("button", { name: /^High/ }).click();
      await menu.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Reasoning effort: High" }).waitFor();
      await page.getByRole("textbox", { name: "Message" }).fill("/say Thought through.");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/chat\/chat-/);
      await page.getByText("Thought through.", { exact: true }).waitFor();
      const id = page.url().split("/").at(-1) ?? "";
      const [turn] = (await operator.get("/api/chat/sessions/{id}/turns", { params: { id } })).turns;
      await page.reload();
      await page.getByRole("button", { name: "Reasoning effort: High" }).waitFor();
      await page.getByRole("button", { name: /^Model: / }).click();
      await page.getByRole("button", { name: /^plain/ }).click();
      await effort.waitFor({ state: "detached" });
      await visit(`tasks/${turn?.task_id}`);
      await page.getByText("reasoning effort high").first().waitFor();
      await visit(`observe/prompts/${turn?.task_id}`);
      await page.getByText("Reasoning effort: high").waitFor();
    },
  },
  {
    title: "a person adds to the work while it goes on, looks why an answer is as it is, renames, forks and deletes",
    async run({ page, visit, expectStatus }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await box.fill('/call calculator {"expression":"2+3"}\n/then\n/wait 600000');
      await page.keyboard.press("Enter");
      await page.getByText(/[1-9]\d* tokens/).waitFor();
      await page.getByText(/Context [1-9]\d* · < 1 %/).waitFor();
      await box.fill("Also look at the tests.");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page
        .getByRole("region", { name: "Messages that were not read yet" })
        .getByText("Also look at the tests.")
        .waitFor();
      await page.getByRole("button", { name: "Withdraw this message" }).click();
      await page.getByText("read at the next step").waitFor({ state: "detached" });
      // A text that cannot be sent comes back, before the draft begun meanwhile.
      const begun = Promise.withResolvers<void>();
      const refusal = { error: { code: "overloaded", message: "Not now." } };
      expectStatus(400);
      await page.route("**/steer", async (route) => {
        if (route.request().method() !== "POST") return route.fallback();
        await begun.promise;
        return route.fulfill({ status: 400, json: refusal });
      });
      await box.fill("And at the docs.");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await box.fill("Then tell me.");
      begun.resolve();
      await page.getByText("Your text is kept.").waitFor();
      expect(await box.inputValue()).toBe("And at the docs.\n\nThen tell me.");
      await page.getByRole("button", { name: "Dismiss" }).click();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped", { exact: true }).waitFor();
      await box.fill("Hello there");
      await page.keyboard.press("Enter");
      // The stopped answer has one too until the list of turns is read again.
      await page.getByRole("button", { name: "Retry" }).last().waitFor();
      await page.unroute("**/steer");
      await page.getByRole("button", { name: "Send", exact: true }).waitFor();
      await box.fill("Something that is taken back");
      await page.keyboard.press("Enter");
      const taken = page.getByRole("log").getByText("You said: Something that is taken back");
      await taken.waitFor();
      await page.getByRole("button", { name: "Go back to here" }).last().click();
      await page.getByRole("button", { name: "Go back", exact: true }).click();
      await taken.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "How it got there" }).last().click();
      await page.getByRole("tab", { name: "Cost" }).click();
      await page.getByText("Model calls").waitFor();
      await page.getByRole("button", { name: "Actions of this chat" }).click();
      await page.getByRole("menuitem", { name: "Rename" }).click();
      // A menu gives the focus back while it goes.
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.getByRole("textbox", { name: "Title" }).fill("A better name");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "A better name" }).waitFor();
      const before = page.url();
      await page.getByRole("button", { name: "Fork from here" }).last().click();
      await page.waitForURL((url) => url.href !== before);
      await page.getByText("Hello there").first().waitFor();
      await page.getByRole("button", { name: "Actions of this chat" }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      const fork = new URL(page.url()).pathname.split("/").at(-1)!;
      // Its events come before the answer: nothing of it is read in between.
      await page.route(`**/api/chat/sessions/${fork}?*`, async (route) => {
        const response = await route.fetch();
        const listed = page.getByRole("region", { name: "Conversations" }).locator(`a[href$="/chat/${fork}"]`);
        await listed.waitFor({ state: "detached" });
        await route.fulfill({ response });
      });
      await page.getByRole("button", { name: "Delete the chat" }).click();
      await page.waitForURL(/\/chat$/);
    },
  },
  {
    title: "a person answers what waits from the composer, the oldest question first, and no second turn begins",
    async run({ page, visit, operator }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      const ask = (question: string) => `/call ask_human ${JSON.stringify({ question })}`;
      await box.fill(`${ask("Which day?")}\n${ask("Which city?")}\n/then\n/say Thank you.`);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/chat\/chat-/);
      const answering = page.getByText("You answer:");
      await answering.getByText("Which day?").waitFor();
      expect(await box.getAttribute("placeholder")).toMatch(/^Answer /);
      await box.fill("Monday");
      await page.keyboard.press("Enter");
      await answering.getByText("Which city?").waitFor();
      await box.fill("Rome");
      await page.getByRole("button", { name: "Answer", exact: true }).last().click();
      await page.locator("p", { hasText: /^Thank you\.$/ }).waitFor();
      await answering.waitFor({ state: "detached" });
      const id = page.url().split("/").at(-1) ?? "";
      const { turns } = await operator.get("/api/chat/sessions/{id}/turns", { params: { id } });
      expect(turns).toHaveLength(1);
      expect(JSON.stringify(turns[0]?.history)).toMatch(/Which day.+Monday.+Which city.+Rome/s);
    },
  },
  {
    title: "Escape stops a turn, what it had not read comes back into the composer, and it can be taken up again",
    async run({ page, visit, operator }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await box.fill("/say It takes **long**\n/wait 600000");
      await page.keyboard.press("Enter");
      await page.locator("strong", { hasText: "long" }).waitFor();
      await box.fill("Also the tests.");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("read at the next step").waitFor();
      await box.fill("and more");
      await page.keyboard.press("Escape");
      await page.getByText("Stopped", { exact: true }).waitFor();
      await page.waitForFunction(() => document.querySelector("textarea")?.value === "Also the tests.\n\nand more");
      const id = page.url().split("/").at(-1) ?? "";
      const { pending } = await operator.get("/api/chat/sessions/{id}/steer", { params: { id } });
      expect(pending).toEqual([]);
      await page.getByRole("button", { name: "Go on", exact: true }).click();
      await page.getByText("Go on where you were stopped.").first().waitFor();
    },
  },
  {
    title:
      "what was begun survives a reload with its files, goes with the message, and is not kept where it is incognito",
    async run({ page, visit }) {
      const countKept = () =>
        page.evaluate(async () => {
          const { promise, resolve } = Promise.withResolvers<number>();
          indexedDB.open("agent-service").addEventListener("success", ({ target }) => {
            const { result } = target as IDBOpenDBRequest;
            const request = result.transaction("draft-files").objectStore("draft-files").count();
            request.addEventListener("success", () => {
              result.close();
              resolve(request.result);
            });
          });
          return promise;
        });
      const kept = (count: number) => expect.poll(countKept).toBe(count);
      const attached = page.getByRole("list", { name: "Attached files" });
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await box.fill("Read this");
      const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("the disk was full") };
      await page.getByLabel("Files", { exact: true }).setInputFiles(file);
      await kept(1);
      await page.reload();
      await attached.getByText("notes.txt").waitFor();
      expect(await box.inputValue()).toBe("Read this");
      await page.getByRole("button", { name: "Incognito", exact: true }).click();
      await kept(0);
      await page.getByRole("button", { name: "Incognito", exact: true }).click();
      await kept(1);
      await page.getByRole("button", { name: "Incognito", exact: true }).click();
      await box.press("Enter");
      await page.getByRole("button", { name: "Retry" }).waitFor();
      await page.getByRole("log").getByRole("list", { name: "Attached files" }).getByText("notes.txt").waitFor();
      await kept(0);
      // It stays what the person began: the next message is as incognito as the first.
      await page.getByRole("button", { name: "Incognito", exact: true, pressed: true }).waitFor();
      await visit("chat/new");
      await page.getByRole("button", { name: "Incognito", exact: true, pressed: false }).waitFor();
      expect([await attached.count(), await box.inputValue()]).toEqual([0, ""]);
    },
  },
];
