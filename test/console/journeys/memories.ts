import { expect } from "vitest";
import { violationsInThemes } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

/** With time enough to recall, however busy the machine is. */
const RECALLS = {
  config: "knowledge: {recall_timeout_ms: 60000}\n",
  env: { SVC_HEADLESS_SETUP: "true" },
};

export const journeys: readonly Journey[] = [
  {
    title:
      "a person writes a memory, finds it by a word, corrects it, decides by key about those that wait, and deletes one",
    service: RECALLS,
    async run({ page, visit, operator }) {
      await visit("knowledge");
      await page.getByRole("heading", { name: "No memories yet" }).waitFor();
      await page.getByRole("button", { name: "New memory" }).click();
      const dialog = page.getByRole("dialog", { name: "New memory" });
      await dialog.getByRole("textbox", { name: "What to remember" }).fill("Black, without sugar.");
      await dialog.getByRole("textbox", { name: "Subject" }).fill("coffee");
      await dialog.getByRole("textbox", { name: "Domain" }).fill("preferences");
      expect(await violationsInThemes(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Remember it" }).click();
      const list = page.getByRole("list", { name: "Memories" });
      await list.getByRole("heading", { name: "coffee" }).waitFor();

      await page.getByRole("searchbox", { name: "Search" }).fill("sugar");
      await list.locator("mark").getByText("sugar").waitFor();
      await page.getByRole("button", { name: "Actions of memory 1" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      const edit = page.getByRole("dialog", { name: "Memory 1" });
      await edit.getByRole("textbox", { name: "What to remember" }).fill("With oat milk, no sugar.");
      await edit.getByRole("button", { name: "Save" }).click();
      await list.getByText("With oat milk, no").waitFor();

      await visit("chat");
      await page.getByRole("textbox", { name: "Message" }).fill("How do they take their coffee?");
      await page.keyboard.press("Enter");
      await page.getByText("Recalled 1 memory").click();
      const recalled = page.getByRole("list", { name: "Recalled memories" });
      await recalled.getByText("coffee: With oat milk, no sugar.").waitFor();
      await recalled.getByText(/place 1 by words, \d words? of the message/).waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      // Corrected where it is read, by keys alone.
      await recalled.getByRole("button", { name: "Edit memory 1" }).focus();
      await page.keyboard.press("Enter");
      await edit.getByRole("textbox", { name: "What to remember" }).fill("With oat milk, and no sugar.");
      await edit.getByRole("button", { name: "Save" }).focus();
      await page.keyboard.press("Enter");
      await recalled.getByText("coffee: With oat milk, and no sugar.").waitFor();
      await recalled.getByText("Changed since").waitFor();
      await recalled.getByRole("button", { name: "Delete memory 1" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Delete memory 1?" }).getByRole("button", { name: "Delete it" }).click();
      await recalled.getByText("It is deleted.").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await recalled.getByText("coffee: With oat milk, and no sugar.").waitFor();
      await page.getByRole("link", { name: "Memory 1" }).click();
      await list.getByText("With oat milk, and no").waitFor();

      // What contradicts the operator waits for one.
      for (const content of ["Much sugar.", "Cold, with ice.", "From a paper cup."]) {
        const message = `/call memory_ingest ${JSON.stringify({ content, subject: "coffee", domain: "preferences" })}`;
        await operator.post("/api/chat", { body: { session_id: "s", message } });
      }
      await page.getByRole("link", { name: "Knowledge 3 waiting for you" }).waitFor();
      await page.getByRole("link", { name: "To review" }).click();
      const waiting = page.getByRole("list", { name: "Memories that wait" });
      await waiting.getByText("Much sugar.").waitFor();
      await waiting.getByText("It contradicts memory 1, which you wrote.").first().waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await waiting.getByRole("button", { name: "Reject memory 4" }).focus();
      await page.keyboard.press("r");
      await waiting.getByText("From a paper cup.").waitFor({ state: "detached" });
      await page.keyboard.press("a");
      await waiting.getByText("Cold, with ice.").waitFor({ state: "detached" });
      await waiting.getByRole("button", { name: "Reject memory 2" }).click();
      await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();

      await page.getByRole("link", { name: "Memories", exact: true }).click();
      await list.getByText("Cold, with ice.").waitFor();
      await page.getByRole("button", { name: "Actions of memory 3" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete it" }).click();
      await list.getByText("Cold, with ice.").waitFor({ state: "detached" });
    },
  },
  {
    title:
      "a person reads what turns were shown and why, tries a message, sees who saw a memory, undoes a deletion, and edits what is always on",
    service: RECALLS,
    async run({ page, visit, operator }) {
      await visit("knowledge/shown");
      await page.getByRole("heading", { name: "No turn was shown a memory" }).waitFor();
      await operator.post("/api/knowledge/chunks", { body: { content: "With oat milk.", subject: "coffee" } });
      await operator.post("/api/chat", { body: { session_id: "morning", message: "Which coffee?" } });
      await operator.post("/api/chat", { body: { session_id: "morning", message: "Good morning" } });
      const calls = page.getByRole("list", { name: "Model calls" });
      await calls.getByRole("heading", { name: "Nothing new; 1 memory in sight" }).waitFor();
      await calls.getByRole("heading", { name: "Shown 1 memory" }).waitFor();
      await calls.getByText("Why, and what not").last().click();
      await calls.getByText(": place 1 by words, 1 word of the message").waitFor();
      await page.getByRole("textbox", { name: "What would a message be shown?" }).fill("How do they like coffee?");
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByRole("group", { name: "As the model would read it" }).getByText("With oat milk.").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);

      await calls.getByRole("link", { name: "Memory 1" }).first().click();
      const actions = page.getByRole("button", { name: "Actions of memory 1" });
      await actions.click();
      await page.getByRole("menuitem", { name: "Who saw it" }).click();
      const uses = page.getByRole("list", { name: "Turns that saw memory 1" });
      await uses.getByText("Still had it in sight in").waitFor();
      await uses.getByText("Shown it in").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await page.keyboard.press("Escape");

      // The list may know before the answer comes, and the dialog goes with its row: the way back is offered all the same.
      await page.route("**/api/knowledge/chunks/1?*", async (route) => {
        const response = await route.fetch();
        await page.getByRole("heading", { name: "No memory fits" }).waitFor();
        await route.fulfill({ response });
      });
      await actions.click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete it" }).click();
      await page.getByText("Memory 1 is deleted.").waitFor();
      await page.unroute("**/api/knowledge/chunks/1?*");
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Memory 1 is back.").waitFor();
      await actions.click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete it" }).click();
      await page.getByRole("link", { name: "Forgotten" }).click();
      const removed = page.getByRole("list", { name: "Removed memories" });
      await removed.getByRole("button", { name: "Restore memory 1" }).click();
      await removed.waitFor({ state: "detached" });

      await page.getByRole("link", { name: "Always on" }).click();
      await page.getByRole("heading", { name: "No memory is always on" }).waitFor();
      await page.getByRole("button", { name: "New one" }).click();
      const dialog = page.getByRole("dialog", { name: "New always-on memory" });
      await dialog.getByRole("textbox", { name: "What to remember" }).fill("Answer briefly.");
      await dialog.getByRole("button", { name: "Remember it" }).click();
      const always = page.getByRole("list", { name: "Always-on memories" });
      await always.getByText("Answer briefly.").waitFor();
      await page.getByRole("button", { name: "Actions of memory 2" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      const edit = page.getByRole("dialog", { name: "Memory 2" });
      await edit.getByRole("textbox", { name: "What to remember" }).fill("Answer in one line.");
      await edit.getByRole("button", { name: "Save" }).click();
      await always.getByText("Answer in one line.").waitFor();
    },
  },
];
