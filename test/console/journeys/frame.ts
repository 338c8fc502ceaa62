import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "on a phone the console begins with the composer, and can be installed from any of its pages",
    async run({ page, visit, service }) {
      await page.setViewportSize({ width: 390, height: 760 });
      await visit("");
      await page.waitForURL(/\/chat\/new$/);
      await page.getByRole("textbox", { name: "Message" }).waitFor();
      const link = (await page.locator('link[rel="manifest"]').getAttribute("href")) ?? "";
      const manifest = new URL(link, page.url()).href;
      const { icons, start_url } = (await (await page.request.get(manifest)).json()) as {
        readonly icons: readonly { readonly src: string; readonly type: string }[];
        readonly start_url: string;
      };
      expect(new URL(start_url, manifest).href).toBe(`${service.url}/app/`);
      for (const { src, type } of icons) {
        const icon = await page.request.get(new URL(src, manifest).href);
        expect([icon.status(), icon.headers()["content-type"]]).toEqual([200, type]);
      }
    },
  },
  {
    title:
      "the keyboard reaches the palette, the sheet of keys and every screen and what it offers; a thumb on a phone does too",
    async run({ page, visit, operator }) {
      await visit("");
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox", { name: "Find a command" }).fill("approvals");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Approvals" }).waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("Shift+?");
      await page.getByRole("dialog", { name: "Keys" }).getByText("Find a command").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      // The screen's own controls are there too, without being registered.
      await page.getByRole("link", { name: "Choose which tools ask first" }).waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox", { name: "Find a command" }).fill("tools ask first");
      await page.getByRole("option", { name: "Open Choose which tools ask first" }).click();
      await page.getByRole("heading", { level: 1, name: "Tools" }).waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox", { name: "Find a command" }).fill("theme: dark");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
      await page.waitForFunction(() => document.querySelector('[role="dialog"]') === null);
      await expect.poll(async () => (await operator.get("/api/theme")).theme).toEqual({ mode: "dark" });
      await operator.delete("/api/theme");
      await page.setViewportSize({ width: 320, height: 640 });
      const more = page.getByRole("button", { name: "More" });
      await more.click();
      await page.getByRole("dialog").getByRole("link", { name: "Observe" }).click();
      await page.waitForURL("**/app/observe/**");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await more.click();
      await page.getByRole("button", { name: "Find a command" }).click();
      await page.getByRole("combobox", { name: "Find a command" }).fill("appearance");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Appearance" }).waitFor();
    },
  },
  {
    title: "pages that were left, and that the browser keeps to come back to, hold none of its connections",
    async run({ page, visit }) {
      // One more than a browser opens to an address.
      for (const screen of ["tasks", "approvals", "work/board", "observe/logs", "tasks", "work/inbox", "approvals"])
        await visit(screen);
      await page.goBack({ waitUntil: "commit" });
      await page.getByRole("heading", { level: 1, name: "Work" }).waitFor();
      await page.getByText("The connection to the agent is lost", { exact: false }).waitFor({ state: "detached" });
    },
  },
  {
    title: "a new prompt is announced on the person's page, in the tab's title and the rail",
    async run({ page, visit, operator }) {
      await visit("approvals");
      await page.getByText("Nothing waits for you").waitFor();
      const { input_required } = await operator.post("/api/chat", {
        body: { message: '/call ask_human {"question":"Which city?"}', session_id: "telling" },
      });
      await page.getByText("The agent waits for you.").waitFor();
      await page.waitForFunction(() => document.title.startsWith("(1) "));
      await page.getByRole("link", { name: /Approvals.*1.*waiting for you/ }).waitFor();
      const { prompt_id: id = "" } = input_required ?? {};
      await operator.post("/api/approvals/{id}", { params: { id }, body: { decision: "answer", answer: "Rome" } });
      await page.waitForFunction(() => !document.title.startsWith("("));
      await page.getByText("The agent waits for you.").waitFor({ state: "detached" });
      await page.getByText("Nothing waits for you").waitFor();
    },
  },
  {
    title: "a list that was made wider, by pointer or keys, is as wide on every screen and after a reload",
    async run({ page, visit }) {
      await visit("chat");
      const edge = page.getByRole("separator", { name: "Width of the list" });
      const at = await edge.boundingBox();
      if (at === null) throw new Error("the edge is not shown");
      const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 60, y);
      await page.mouse.up();
      expect(await edge.getAttribute("aria-valuenow")).toBe("340");
      await page.reload();
      expect((await edge.boundingBox())?.x).toBe(at.x + 60);
      await visit("settings/all");
      await edge.focus();
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowLeft");
      expect(await edge.getAttribute("aria-valuenow")).toBe("384");
      expect((await edge.boundingBox())?.x).toBe(at.x + 104);
    },
  },
  {
    title: "a refused configuration is shown above every screen, until it is corrected",
    service: { config: "identity: {name: Ada}\n", env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, service }) {
      await visit("approvals");
      service.folders.configure("egress: {allowed_hosts: 5}\n");
      await page.getByText("The changed configuration is refused").waitFor();
      service.folders.configure("identity: {name: Ada}\n");
      await page.getByText("The changed configuration is refused").waitFor({ state: "detached" });
    },
  },
];
