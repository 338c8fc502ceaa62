import type { Page } from "playwright-core";
import { expect } from "vitest";
import { pdfOf } from "../../../packages/agent-core/src/testing/index.ts";
import { violationsAtAllWidths } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";
import { pngOf } from "../rig/png-of.ts";

const red = { name: "red.png", mimeType: "image/png", buffer: pngOf(900, 1_400, [200, 40, 40]) };
const blue = { name: "blue.png", mimeType: "image/png", buffer: pngOf(300, 200, [40, 40, 200]) };
const notes = { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Ships\n\nTwo of them.") };

async function attach(page: Page, ...files: readonly { name: string; mimeType: string; buffer: Buffer }[]) {
  await page.getByLabel("Files", { exact: true }).setInputFiles([...files]);
}

/** Hands files to the page as another program would: by a paste into the message box, or a drop on the page. */
async function hand(page: Page, how: "paste" | "drop", file: { name: string; mimeType: string; buffer: Buffer }) {
  await page.evaluate(
    ([kind, name, type, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name, { type }));
      const options = { bubbles: true, cancelable: true };
      if (kind === "paste") {
        const event = new ClipboardEvent("paste", { ...options, clipboardData: data });
        document.querySelector("#composer")?.dispatchEvent(event);
        return;
      }
      for (const step of ["dragover", "drop"]) {
        document.querySelector("main")?.dispatchEvent(new DragEvent(step, { ...options, dataTransfer: data }));
      }
    },
    [how, file.name, file.mimeType, file.buffer.toString("base64")] as const,
  );
}

const image = (mimeType: string, bytes: Buffer) => ({ type: "image", mimeType, data: bytes.toString("base64") });
const SCRIPT = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.wasRun=1"/>');
/** Two pictures, what is none (a drawing with a script, and the same under the name of a picture), and a damaged one. */
const content = [
  image("image/png", pngOf(900, 1_400, [200, 40, 40])),
  image("image/svg+xml", SCRIPT),
  image("image/png", SCRIPT),
  image("image/png", pngOf(300, 200, [40, 40, 200])),
  image("image/png", pngOf(300, 200, [40, 200, 40]).subarray(0, 40)),
];

/** A server of 2025 with one tool, which returns them. */
const PROGRAM = `
  import { createInterface } from "node:readline";
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "p", version: "1" } },
    "tools/list": { tools: [{ name: "draw", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] },
    "tools/call": { content: ${JSON.stringify(content)} },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method } = JSON.parse(line);
    const result = results[method];
    if (id === undefined) continue;
    const answer = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }
`;
const entry = { name: "pictures", command: process.execPath, args: ["--input-type=module", "-e", PROGRAM] };

export const journeys: readonly Journey[] = [
  {
    title: "pictures are thumbnails that open large, before they are sent, after, and after a reload",
    async run({ page, visit }) {
      await visit("chat/new");
      await attach(page, red, notes, blue);
      const box = page.locator("form");
      await box.getByRole("button", { name: "Open blue.png" }).click();
      const viewer = page.getByRole("dialog");
      await viewer.getByRole("img", { name: "blue.png" }).waitFor();
      await viewer.getByText("2 of 2").waitFor();
      await page.keyboard.press("Escape");
      await viewer.waitFor({ state: "detached" });
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Open blue.png");
      await page.getByRole("textbox", { name: "Message" }).fill("/say Seen.");
      await page.keyboard.press("Enter");
      const log = page.getByRole("log");
      await log.locator("p", { hasText: /^Seen\.$/ }).waitFor();
      await log.getByRole("button", { name: "Retry" }).waitFor();
      for (const reload of [false, true]) {
        if (reload) await page.reload();
        const files = log.getByRole("list", { name: "Attached files" });
        await files.getByText("notes.md").waitFor();
        await files.getByText("21 B").waitFor();
        const widths = () =>
          files.locator("img").evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth));
        await expect.poll(widths).toEqual([900, 300]);
        await files.getByRole("button", { name: "Open red.png" }).click();
        await viewer.getByText("1 of 2").waitFor();
        await page.keyboard.press("ArrowRight");
        await viewer.getByRole("img", { name: "blue.png" }).waitFor();
        await page.keyboard.press("ArrowRight");
        await viewer.getByRole("img", { name: "red.png" }).waitFor();
        // A picture larger than the window is shown whole, and in its own size once it is pressed.
        const shown = () => viewer.getByRole("img", { name: "red.png" }).evaluate((img) => img.clientHeight);
        await expect.poll(shown).toBeLessThan(760);
        await viewer.getByRole("button", { name: "Own size" }).click();
        await expect.poll(shown).toBe(1_400);
        // The focus stays inside: at its end it is led back to the begin, a moment after the key.
        for (let presses = 0; presses < 8; presses++) await page.keyboard.press("Tab");
        await expect.poll(() => viewer.evaluate((popup) => popup.contains(document.activeElement))).toBe(true);
        if (reload) expect(await violationsAtAllWidths(page)).toEqual([]);
        await viewer.getByRole("button", { name: "Close" }).click();
        await viewer.waitFor({ state: "detached" });
      }
      expect(await violationsAtAllWidths(page)).toEqual([]);
    },
  },
  {
    title: "files are attached by a paste and by a drop anywhere on the page, and taken out again",
    async run({ page, visit }) {
      await visit("chat/new");
      const files = page.locator("form").getByRole("list", { name: "Attached files" });
      await hand(page, "paste", blue);
      await files.getByRole("button", { name: "Open blue.png" }).waitFor();
      await hand(page, "drop", notes);
      await files.getByText("notes.md").waitFor();
      expect(page.url()).toMatch(/chat\/new$/);
      await files.getByRole("button", { name: "Remove blue.png" }).click();
      await files.getByRole("button", { name: "Open blue.png" }).waitFor({ state: "detached" });
      await files.getByRole("button", { name: "Remove notes.md" }).click();
      await files.waitFor({ state: "detached" });
    },
  },
  {
    title: "a PDF goes along as its text, and what cannot be read is refused when it is attached",
    async run({ page, visit, expectStatus }) {
      expectStatus(400);
      await visit("chat/new");
      const pdf = (...texts: readonly string[]) => Buffer.from(pdfOf(...texts));
      await attach(page, { name: "scan.pdf", mimeType: "application/pdf", buffer: pdf("") });
      await page.getByText(/"scan.pdf" holds no text/).waitFor();
      await attach(page, { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4 broken") });
      await page.getByText(/"broken.pdf" cannot be read/).waitFor();
      const office = Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0]);
      await attach(page, { name: "plan.docx", mimeType: "application/zip", buffer: office });
      await page.getByText(/"plan.docx" cannot be read: /).waitFor();
      await attach(page, { name: "report.pdf", mimeType: "application/pdf", buffer: pdf("Forty ships", "left port") });
      await page.getByRole("textbox", { name: "Message" }).fill("What does it say?");
      await page.keyboard.press("Enter");
      const log = page.getByRole("log");
      // The demo model repeats what it was given.
      await log
        .getByText(/Forty ships/)
        .first()
        .waitFor();
      await log.getByRole("button", { name: "Retry" }).waitFor();
      await page.reload();
      await log.getByText("report.pdf", { exact: true }).waitFor();
    },
  },
  {
    title: "two pastes, one right after the other, keep to the bound of a message's files together",
    async run({ page, visit }) {
      await visit("chat/new");
      await page.getByRole("textbox", { name: "Message" }).waitFor();
      await page.evaluate(() => {
        for (const paste of ["first", "second"]) {
          const data = new DataTransfer();
          for (let at = 0; at < 6; at++)
            data.items.add(new File([paste], `${paste}-${at}.txt`, { type: "text/plain" }));
          const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data });
          document.querySelector("#composer")?.dispatchEvent(event);
        }
      });
      await page.getByText("At most 10 files go with a message.").waitFor();
      const attached = page.getByRole("list", { name: "Attached files" });
      await attached.getByText("first-5.txt").waitFor();
      expect(await attached.getByText(/second/).count()).toBe(0);
    },
  },
  {
    title: "images that a tool returned stand in the conversation, open large, and are there after a reload",
    service: {
      env: { SVC_HEADLESS_SETUP: "true" },
      config: `mcp: ${JSON.stringify({ enabled: true, servers: [entry] })}\n`,
    },
    async run({ page, visit, operator }) {
      const stateNow = async () => (await operator.get("/api/mcp/servers")).servers[0]?.state;
      await expect.poll(stateNow).toBe("ready");
      await visit("chat/new");
      await page.getByRole("textbox", { name: "Message" }).fill("/call pictures__draw {}");
      await page.keyboard.press("Enter");
      const log = page.getByRole("log");
      const viewer = page.getByRole("dialog");
      for (const reload of [false, true]) {
        if (reload) await page.reload();
        const images = log.getByRole("list", { name: "Images of results" });
        const widths = () =>
          images.locator("img").evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth));
        await expect.poll(widths).toEqual([900, 300]);
        await images.getByRole("button", { name: "Open Image 1 of pictures__draw" }).click();
        await viewer.getByText("1 of 3").waitFor();
        // Before it has the focus, a key goes to the conversation.
        await viewer.locator(":focus").waitFor();
        await page.keyboard.press("ArrowRight");
        await viewer.getByRole("img", { name: "Image 2 of pictures__draw" }).waitFor();
        await page.keyboard.press("ArrowRight");
        await viewer.getByText("The picture cannot be shown: it is damaged.").waitFor();
        await page.keyboard.press("Escape");
        await viewer.waitFor({ state: "detached" });
        await images.getByText("Image 3 of pictures__draw: The picture cannot be shown: it is damaged.").waitFor();
        // Addresses of this page's own making: no picture is loaded from elsewhere.
        const sources = await images
          .locator("img")
          .evaluateAll((all) => all.map((img) => (img as HTMLImageElement).src));
        expect(sources).toEqual(sources.map(() => expect.stringMatching(/^blob:/)));
        expect(await page.evaluate(() => "wasRun" in window)).toBe(false);
      }
      expect(await violationsAtAllWidths(page)).toEqual([]);
    },
  },
  {
    title: "images of a tool that is tried or replayed stand below its result, and open large above what tries it",
    service: {
      env: { SVC_HEADLESS_SETUP: "true" },
      config: `mcp: ${JSON.stringify({ enabled: true, servers: [entry] })}\n`,
    },
    async run({ page, visit }) {
      await visit("extensions/mcp/pictures");
      await page.getByRole("button", { name: "Try draw" }).click();
      const trial = page.getByRole("dialog", { name: "Try draw" });
      await trial.getByRole("button", { name: "Call draw" }).click();
      const images = trial.getByLabel("Result").getByRole("list", { name: "Images of results" });
      const widths = () =>
        images.locator("img").evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth));
      await expect.poll(widths).toEqual([900, 300]);
      await images.getByText("Image 3 of pictures__draw: The picture cannot be shown: it is damaged.").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await images.getByRole("button", { name: "Open Image 1 of pictures__draw" }).click();
      const viewer = page.getByRole("dialog", { name: "Image 1 of pictures__draw" });
      await viewer.getByRole("img", { name: "Image 1 of pictures__draw" }).waitFor();
      await viewer.locator(":focus").waitFor();
      await page.keyboard.press("Escape");
      await viewer.waitFor({ state: "detached" });
      // The key closed the picture alone.
      await trial.getByRole("button", { name: "Call draw" }).waitFor();
      await trial.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Calls" }).click();
      await page.getByRole("button", { name: "Replay draw" }).click();
      await page.getByRole("button", { name: "Make the call once more" }).click();
      const again = page.getByRole("region", { name: "Now" }).getByRole("list", { name: "Images of results" });
      await again.getByRole("button", { name: "Open Image 2 of pictures__draw" }).waitFor();
    },
  },
];
