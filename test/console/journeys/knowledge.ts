import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { violationsInThemes } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

const COMMONS = join(tmpdir(), `agent-service-journey-commons-${process.pid}`);

export const journeys: readonly Journey[] = [
  {
    title:
      "a person hands over a document, finds what it says, reads why another cannot be read, and restores the first",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator, expectStatus }) {
      expectStatus(400);
      await visit("knowledge/documents");
      await page.getByRole("heading", { name: "No documents yet" }).waitFor();
      const buffer = Buffer.from("# Office\n\n## Plants\n\nWater the ferns on Monday.\n");
      await page.locator('input[type="file"]').setInputFiles({ name: "office.md", mimeType: "text/markdown", buffer });
      const list = page.getByRole("list", { name: "Documents" });
      await list.getByText("1 memory").waitFor();
      const empty = { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) };
      await page.locator('input[type="file"]').setInputFiles(empty);
      await page.getByText("empty.txt:").first().waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await operator.post("/api/knowledge/chunks", { body: { content: "Feed the fish." } });
      await page.getByRole("link", { name: "Memories", exact: true }).click();
      const memories = page.getByRole("list", { name: "Memories" });
      await memories.getByText("Water the ferns on Monday.").waitFor();
      await memories.getByText("Feed the fish.").waitFor();
      await page.getByRole("combobox", { name: "Document" }).selectOption({ label: "Office (1)" });
      await memories.getByText("Feed the fish.").waitFor({ state: "detached" });
      await memories.getByText("Water the ferns on Monday.").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await page.getByRole("link", { name: "Documents" }).click();
      await list.getByRole("link", { name: "Its memories of Office" }).click();
      await memories.getByText("Water the ferns on Monday.").waitFor();
      expect(await memories.getByRole("listitem").count()).toBe(1);
      await page.getByRole("link", { name: "Documents" }).click();
      await list.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Remove it" }).click();
      await list.getByText("removed; can be restored for a day").waitFor();
      await list.getByRole("button", { name: "Restore" }).click();
      await list.getByText("1 memory").waitFor();
    },
  },
  {
    title:
      "a person reads what is kept of a conversation, has memories extracted of it, deletes it, and sees what was forgotten",
    service: { env: { SVC_HEADLESS_SETUP: "true", SVC_DISABLE_MEMORY: "" } },
    async run({ page, visit, operator }) {
      await visit("knowledge/conversations");
      await page.getByRole("heading", { name: "Nothing of a conversation yet" }).waitFor();
      await operator.post("/api/chat", { body: { session_id: "birds", message: "Where do the herons nest?" } });
      const list = page.getByRole("list", { name: "Conversations" });
      await list.getByRole("button", { name: "Where do the herons nest?", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Where do the herons nest?" });
      await dialog.locator("strong").getByText("Person").first().waitFor();
      await dialog.getByText("You said: Where do the herons nest?").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await page.keyboard.press("Escape");
      const actions = page.getByRole("button", { name: "Actions of Where do the herons nest?" });
      await actions.click();
      await page.getByRole("menuitem", { name: "Extract memories" }).click();
      await page.getByText("Memories of Where do the herons nest? are stored.").first().waitFor();
      await page.getByRole("link", { name: "Memories", exact: true }).click();
      await page
        .getByRole("list", { name: "Memories" })
        .getByText("It began with: Where do the herons nest?")
        .waitFor();

      await page.getByRole("link", { name: "Forgotten" }).click();
      await page.getByRole("heading", { name: "Nothing was forgotten" }).waitFor();
      await operator.post("/api/memory/forget", { body: { session_id: "birds" } });
      await page.getByRole("list", { name: "Receipts" }).getByText("1 memory · 1 summary").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await page.getByRole("link", { name: "Conversations" }).click();
      await page.getByRole("heading", { name: "Nothing of a conversation yet" }).waitFor();

      await operator.post("/api/chat", { body: { session_id: "birds", message: "And the storks?" } });
      await actions.click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete it" }).click();
      await page.getByRole("heading", { name: "Nothing of a conversation yet" }).waitFor();
      await operator.get("/api/chat/sessions/{id}", { params: { id: "birds" } });
    },
  },
  {
    title: "a person shares a memory from its menu, shares its new text, and stops sharing it",
    service: {
      config: `knowledge: {scope: layered, commons_path: "${COMMONS}"}\n`,
      env: { SVC_HEADLESS_SETUP: "true" },
    },
    async run({ page, visit, operator }) {
      rmSync(COMMONS, { recursive: true, force: true });
      await operator.post("/api/knowledge/chunks", { body: { content: "Release on Tuesdays.", subject: "releases" } });
      await visit("knowledge/memories");
      const list = page.getByRole("list", { name: "Memories" });
      const act = async (name: string): Promise<void> => {
        await page.getByRole("button", { name: "Actions of memory 1" }).click();
        await page.getByRole("menuitem", { name }).click();
      };
      await act("Share on this machine");
      await list.getByText("shared on this machine").waitFor();
      expect(await list.getByRole("listitem").count()).toBe(1);
      await operator.put("/api/knowledge/chunks/{chunk_id}", {
        ...{ params: { chunk_id: "1" }, body: { content: "Release on Thursdays." } },
      });
      await list.getByText("another text of it is shared").waitFor();
      await act("Share in place of what is shared");
      await list.getByText("shared on this machine").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await act("Stop sharing");
      await page.getByText("Memory 1 is this agent's alone.").first().waitFor();
      await list.getByText("shared on this machine").waitFor({ state: "detached" });
      rmSync(COMMONS, { recursive: true, force: true });
    },
  },
  {
    title: "a person is offered once to have memories extracted by a model that costs something, with the price of one",
    service: {
      env: { SVC_HEADLESS_SETUP: "true", SVC_DISABLE_MEMORY: "", SVC_MODEL: "" },
      config: `providers: [{id: atlas, type: compat-gateway, base_url: "http://127.0.0.1:9/v1", models: {large: {price: {input: 3, output: 15}}}}]
model: {name: large}
`,
    },
    async run({ page, visit, operator }) {
      await operator.post("/api/chat", { body: { session_id: "birds", message: "/help" } });
      await visit("knowledge/conversations");
      const offer = page.getByRole("region", { name: "Extract memories from conversations that rest?" });
      await offer.getByText("one costs up to about $0.07").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await offer.getByRole("button", { name: "No, thanks" }).click();
      await offer.waitFor({ state: "detached" });
      await visit("knowledge/conversations");
      await page.getByRole("list", { name: "Conversations" }).waitFor();
      expect(await offer.count()).toBe(0);
      await page.evaluate(() => window.localStorage.removeItem("agent-service.harvest-offered"));
      await visit("knowledge/conversations");
      await offer.getByRole("button", { name: "Extract them" }).click();
      await page.getByText("atlas:large reads conversations that rest from now on.").first().waitFor();
      await offer.waitFor({ state: "detached" });
      const { config } = await operator.get("/api/config");
      expect(config).toMatchObject({ knowledge: { harvest_model: "atlas:large" } });
      expect(await operator.get("/api/memory/harvesting")).toEqual({ offer: null });
    },
  },
  {
    title: "a person deletes a chat, reads what it left in memory and has that forgotten, and is told what stays",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      const say = (session_id: string, tool: string, args: object) =>
        operator.post("/api/chat", { body: { session_id, message: `/call ${tool} ${JSON.stringify(args)}` } });
      await say("herons", "memory_ingest", { content: "Herons nest by the pond.", subject: "herons" });
      const skill = { name: "count-nests", description: "Counts nests. Use in spring.", body: "Count twice." };
      await say("herons", "save_skill", skill);
      const watched = { condition: "An issue is closed", check: "core:board", check_args: { issue_id: "task-1" } };
      await operator.post("/api/tasks/issues", { body: { title: "Count nests" } });
      await operator.post("/api/watches", { body: { ...watched, run_session: "herons" } });
      await operator.post("/api/watches", { body: { ...watched, run_session: "storks", watch_id: "storks" } });
      await visit("chat/herons");
      await page.getByRole("button", { name: "Actions of this chat" }).click();
      await page.getByRole("menuitem", { name: /Delete/ }).click();
      const dialog = page.getByRole("dialog", { name: "Delete this chat?" });
      await dialog.getByText(/Forget what it left in memory too: 1 memory/).waitFor();
      await dialog.getByText("Deleting it also removes 1 watch; clearing it keeps them.").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await dialog.getByRole("checkbox").check();
      await dialog.getByRole("button", { name: "Delete the chat" }).click();
      await page.getByText("The chat is deleted. Of it stay: the skill count-nests.").waitFor();
      const { results } = await operator.get("/api/knowledge/search", { query: { q: "herons" } });
      expect(results).toEqual([]);
    },
  },
];
