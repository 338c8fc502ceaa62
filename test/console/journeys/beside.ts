import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { violationsAtAllWidths } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(`/say ${text}`);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Retry" }).waitFor();
}

/** Ways in which a page could send something away, or leave its frame, each to an address of its own. */
const waysOut = (to: string, datagrams: number): string => `<h1>Hello</h1>
<img src="${to}/img"><link rel="stylesheet" href="${to}/css"><script src="${to}/script"></script><iframe src="${to}/frame"></iframe>
<link rel="prefetch" href="${to}/prefetch"><form action="${to}/form"><button>x</button></form>
<a id="blank" target="_blank" href="${to}/blank">x</a><a id="top" target="_top" href="${to}/top">x</a>
<style>body { background: url(${to}/background) }</style><p id="said">not run</p>
<script>
const attempt = (go) => { try { const made = go(); made?.catch?.(() => {}); } catch {} };
attempt(() => fetch("${to}/fetch", { mode: "no-cors" }));
attempt(() => navigator.sendBeacon("${to}/beacon", "x"));
attempt(() => new WebSocket("${to.replace("http", "ws")}/socket"));
attempt(() => new EventSource("${to}/events"));
attempt(() => open("${to}/open"));
attempt(() => { parent.location.href = "${to}/parent"; });
attempt(() => { parent.document.title = "taken"; });
attempt(() => localStorage.setItem("a", "b"));
attempt(() => document.forms[0].submit());
const call = "try { const one = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${datagrams}' }] });" +
  "one.createDataChannel('x'); one.createOffer().then((offer) => one.setLocalDescription(offer)); } catch {}";
attempt(() => document.head.append(Object.assign(document.createElement("script"), { textContent: call })));
attempt(() => document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: "<script>" + call + "</scr" + "ipt>" })));
for (const message of [null, undefined, "x", {}, { kind: "shown", height: 1e9 }, { kind: "ready" }]) parent.postMessage(message, "*");
for (const id of ["blank", "top"]) attempt(() => document.getElementById(id).click());
document.getElementById("said").textContent = "ran";
setTimeout(() => { location.href = "${to}/self"; }, 1_000);
</script>`;

export const journeys: readonly Journey[] = [
  {
    title: "a page, code, a table and a long answer open beside the conversation, and Escape gives the focus back",
    async run({ page, visit }) {
      await visit("chat/new");
      const table = "| Name | Size |\n|---|---:|\n| b | 18 GB |\n| a | 9 GB |\n| c | 140 GB |";
      const html = "<h1>Hi there</h1><script>document.body.append('it runs')</scr" + "ipt>";
      const long = Array.from({ length: 99 }, (_, no) => `Paragraph ${no} of a text that is a document.`).join("\n\n");
      await say(page, `\`\`\`html\n${html}\n\`\`\`\n\n${table}\n\n${long}`);
      const log = page.getByRole("log");
      const code = log.locator(".code-block");
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      const opened = async (name: string, button: ReturnType<Page["getByRole"]>) => {
        await button.scrollIntoViewIfNeeded();
        await button.click();
        const pane = page.getByRole("complementary", { name });
        await pane.getByRole("heading", { name, level: 2 }).waitFor();
        expect(await focused()).toBe(name);
        return pane;
      };
      const closed = async (pane: ReturnType<Page["getByRole"]>, button: ReturnType<Page["getByRole"]>) => {
        await page.keyboard.press("Escape");
        await pane.waitFor({ state: "detached" });
        expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
      };
      const preview = code.getByRole("button", { name: "Preview" });
      const shown = await opened("Preview", preview);
      await page.frameLocator("iframe[title='Preview of the page']").getByText("it runs").waitFor();
      await shown.getByRole("button", { name: "Show source" }).click();
      await shown.getByText("Hi there").first().waitFor();
      await closed(shown, preview);
      const source = code.getByRole("button", { name: "Open beside" });
      const listed = await opened("html", source);
      await listed.getByRole("button", { name: "Copy code" }).waitFor();
      expect(await listed.getByRole("button", { name: "Open beside" }).count()).toBe(0);
      await closed(listed, source);
      const cells = page.getByRole("complementary").locator("tbody td:first-child");
      const large = log.getByRole("button", { name: "Open beside" }).filter({ hasText: "Open beside" }).first();
      const rows = await opened("Table", large);
      await rows.getByRole("columnheader", { name: "Size" }).getByRole("button").click();
      await expect.poll(() => cells.allInnerTexts()).toEqual(["a", "b", "c"]);
      const download = page.waitForEvent("download");
      await rows.getByRole("button", { name: "Save as CSV" }).click();
      expect((await download).suggestedFilename()).toBe("table.csv");
      await closed(rows, large);
      const whole = log.getByRole("button", { name: "Open beside" }).last();
      const answer = await opened("protoagent's answer", whole);
      await answer.getByText("Paragraph 98 of").waitFor();
      expect(await violationsAtAllWidths(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 780 });
      const sheet = page.getByRole("dialog", { name: "protoagent's answer" });
      await sheet.getByText("Paragraph 98 of").waitFor({ state: "attached" });
      expect((await sheet.boundingBox())?.width).toBe(390);
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      // It closes with its conversation.
      await page.setViewportSize({ width: 1280, height: 800 });
      await opened("protoagent's answer", whole);
      await page.getByRole("link", { name: "New chat" }).first().click();
      await page.getByRole("complementary", { name: "protoagent's answer" }).waitFor({ state: "detached" });
    },
  },
  {
    title: "a previewed page runs, and nothing of it leaves its frame",
    async run({ page, service }) {
      const asked: string[] = [];
      const elsewhere = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.end();
      }).listen(0, "127.0.0.1");
      const datagrams = createSocket("udp4").on("message", () => void asked.push("a datagram"));
      datagrams.bind(0, "127.0.0.1");
      try {
        await Promise.all([once(elsewhere, "listening"), once(datagrams, "listening")]);
        const to = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
        // Of its own: what the policy refuses stands in its log.
        const other = await page.context().newPage();
        const windows = other.context().pages().length;
        await other.goto(`${service.url}/app/chat/new`);
        await say(other, `\`\`\`html\n${waysOut(to, datagrams.address().port).replaceAll("\n\n", "\n")}\n\`\`\``);
        const exceptions: string[] = [];
        other.on("pageerror", ({ message }) => void exceptions.push(message));
        const refused: string[] = [];
        other.on("console", (message) => void refused.push(message.text()));
        await other.getByRole("button", { name: "Preview" }).click();
        // Its last attempt, which the policy of the console refuses.
        await expect.poll(() => refused.join("\n")).toContain("frame-src 'self'");
        expect(asked).toEqual([]);
        // Of the console: what a frame sends does not disturb it.
        expect(exceptions).toEqual([]);
        expect(other.context().pages()).toHaveLength(windows);
        expect(other.url()).toContain(`${service.url}/app/chat/`);
        expect(await other.title()).not.toBe("taken");
      } finally {
        elsewhere.closeAllConnections();
        elsewhere.close();
        datagrams.close();
      }
    },
  },
  {
    title: "what is opened while something else is open takes its place, from its beginning, and the focus",
    async run({ page, visit }) {
      await visit("chat/new");
      const html = (text: string) => `\`\`\`html\n<h1>${text}</h1>\n\`\`\``;
      const code = Array.from({ length: 90 }, (_, no) => `line ${no}`).join("\n");
      await say(
        page,
        `\`\`\`text\n${code}\n\`\`\`\n\n${html("First")}\n\n${html("Second")}\n\n|A|B|\n|-|-|\n|2|x|\n|1|y|\n\n|C|\n|-|\n|5|\n|3|`,
      );
      const log = page.getByRole("log");
      const previews = log.getByRole("button", { name: "Preview" });
      const shown = page.frameLocator("iframe[title='Preview of the page']").getByRole("heading");
      await previews.first().click();
      await expect.poll(() => shown.textContent()).toBe("First");
      await page.getByRole("button", { name: "Show source" }).click();
      await previews.last().click();
      await expect.poll(() => shown.textContent()).toBe("Second");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Preview");
      const tables = log.getByRole("button", { name: "Open beside" });
      await tables.nth(0).click();
      const listed = page.getByRole("complementary").locator(".code-block");
      await listed.getByText("line 89").waitFor();
      // Nothing of it is cut off: the pane scrolls.
      expect(await listed.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
      await tables.nth(3).click();
      const pane = page.getByRole("complementary", { name: "Table" });
      await pane.getByRole("columnheader", { name: "A" }).getByRole("button").click();
      await expect.poll(() => pane.locator("tbody td:first-child").allInnerTexts()).toEqual(["1", "2"]);
      await tables.nth(4).click();
      await expect.poll(() => pane.locator("tbody td:first-child").allInnerTexts()).toEqual(["5", "3"]);
      await page.keyboard.press("Escape");
      await pane.waitFor({ state: "detached" });
      expect(await tables.nth(4).evaluate((one) => one === document.activeElement)).toBe(true);
    },
  },
  {
    title: "an attached text opens beside the conversation, before it is sent and after",
    async run({ page, visit }) {
      await visit("chat/new");
      const buffer = Buffer.from("# Ships\n\nTwo of them.");
      const file = { name: "notes.md", mimeType: "text/markdown", buffer };
      await page.getByLabel("Files", { exact: true }).setInputFiles(file);
      await say(page, "Read.");
      await page.reload();
      await page
        .getByRole("log")
        .getByRole("button", { name: /notes\.md/ })
        .click();
      const pane = page.getByRole("complementary", { name: "notes.md" });
      await pane.getByRole("heading", { name: "Ships" }).waitFor();
      await pane.getByText("Two of them.").waitFor();
      await pane.getByRole("button", { name: "Close" }).click();
      await pane.waitFor({ state: "detached" });
    },
  },
];
