import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "the palette finds chats, runs, settings and actions in this order, and what was used last comes first",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      for (const [session_id, message] of [
        ["parcels", "/say Weighing the temperature of parcels"],
        ["letters", "/say Sorting letters"],
      ] as const)
        await operator.post("/api/chat", { body: { message, session_id } });
      const openPalette = async () => {
        await page.keyboard.press("ControlOrMeta+k");
        const box = page.getByRole("combobox", { name: "Find a command" });
        await box.waitFor();
        return box;
      };
      const groups = () => page.getByRole("listbox").getByRole("group");
      await visit("approvals");
      const searches: string[] = [];
      page.on("request", (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === "/api/chat/sessions" && searchParams.has("search"))
          searches.push(searchParams.get("search") ?? "");
      });
      const box = await openPalette();
      // Every letter in one task of the page: no pause between them can be long enough for a request.
      await box.evaluate((input: HTMLInputElement) => {
        const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
        for (let length = 1; length <= "temperature".length; length++) {
          set?.call(input, "temperature".slice(0, length));
          input.dispatchEvent(new Event("input", { bubbles: true }));
        }
      });
      await groups().filter({ hasText: "Weighing" }).first().waitFor();
      await page.getByRole("group", { name: "Runs" }).waitFor();
      await page.getByRole("group", { name: "Settings" }).getByRole("option", { name: "Temperature" }).waitFor();
      expect(searches).toEqual(["temperature"]);
      const order = await groups().evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
      expect(order.slice(0, 3)).toEqual(["Chats", "Runs", "Settings"]);
      await page.getByRole("group", { name: "Chats" }).getByRole("option").first().click();
      await page.waitForURL(/\/chat\/parcels$/);
      await openPalette();
      await groups()
        .first()
        .and(page.getByRole("group", { name: "Recently used" }))
        .waitFor();
      await page.getByRole("group", { name: "Recently used" }).getByRole("option", { name: "parcels" }).waitFor();
      // The ids of what was opened are kept, and nothing that a person wrote.
      expect(await page.evaluate(() => localStorage.getItem("agent-service.recent-commands"))).toBe('["chat-parcels"]');
      // A row of a list is called by its title alone: not by its state, its age and what it cost.
      await box.fill("letters");
      await page.getByRole("option", { name: "Open /say Sorting letters On this screen", exact: true }).waitFor();
      await box.fill("model.temperature");
      const setting = page.getByRole("group", { name: "Settings" }).getByRole("option", { name: "Temperature" });
      await setting.waitFor();
      for (let step = 0; step < 20 && (await setting.getAttribute("aria-selected")) !== "true"; step++)
        await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Temperature" }).waitFor();
      await openPalette();
      // Actions are there before what has to be searched for: Enter opens what stands first in the end.
      await box.fill("approval");
      await page.getByRole("group", { name: "Settings" }).waitFor();
      await groups()
        .first()
        .and(page.getByRole("group", { name: "Settings" }))
        .waitFor();
      await groups().first().getByRole("option", { selected: true }).waitFor();
      await box.fill("nothing of this name");
      await page.getByText("Nothing is called “nothing of this name”", { exact: false }).waitFor();
    },
  },
  {
    title: "the palette offers what comes onto the screen while it is open, and no longer what went",
    async run({ page, visit, operator }) {
      await visit("approvals");
      await page.getByText("Nothing waits for you").waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox", { name: "Find a command" }).fill("answer");
      const { input_required } = await operator.post("/api/chat", {
        body: { message: '/call ask_human {"question":"Which colour?"}', session_id: "live-palette" },
      });
      const option = page.getByRole("option", { name: /^Answer/ });
      await option.first().waitFor();
      const { prompt_id: id = "" } = input_required ?? {};
      await operator.post("/api/approvals/{id}", { params: { id }, body: { decision: "answer", answer: "Blue" } });
      await expect.poll(() => option.count()).toBe(0);
    },
  },
  {
    title: "what is typed while the palette is still being loaded is searched for once it is there",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit }) {
      const held = Promise.withResolvers<void>();
      await page.route(/palette-search-[^/]*\.js/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await visit("approvals");
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("textbox", { name: "Find a command" }).waitFor();
      await page.keyboard.type("tempera");
      held.resolve();
      const box = page.getByRole("combobox", { name: "Find a command" });
      await box.waitFor();
      await page.keyboard.type("ture");
      expect(await box.inputValue()).toBe("temperature");
      await page.getByRole("group", { name: "Settings" }).getByRole("option", { name: "Temperature" }).waitFor();
    },
  },
];
