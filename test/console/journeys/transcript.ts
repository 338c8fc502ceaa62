import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

const FORM = {
  title: "Your trip",
  steps: [{ schema: { type: "object", properties: { city: { type: "string", title: "City" } }, required: ["city"] } }],
};

export const journeys: readonly Journey[] = [
  {
    title: "own messages stand on the right, answers below the agent's name, and older actions appear when one points",
    async run({ page, visit }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await box.fill("/say First.");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Retry" }).waitFor();
      await box.fill("/say Second.");
      await page.keyboard.press("Enter");
      await page.locator("p", { hasText: /^Second\.$/ }).waitFor();
      const turns = page.getByRole("article", { name: "Turn", exact: true });
      await turns.nth(1).getByRole("button", { name: "Retry" }).waitFor();
      const seen = (no: number) =>
        turns
          .nth(no)
          .getByRole("button", { name: "Copy answer" })
          .evaluate((button) => getComputedStyle(button.parentElement as HTMLElement).opacity);
      await page.mouse.move(0, 0);
      await expect.poll(() => seen(1)).toBe("1");
      await expect.poll(() => seen(0)).toBe("0");
      await turns.nth(0).hover();
      await expect.poll(() => seen(0)).toBe("1");
      const own = await turns.nth(0).getByText("/say First.").boundingBox();
      const answer = await turns
        .nth(0)
        .locator("p", { hasText: /^First\.$/ })
        .boundingBox();
      const column = await page.locator("form").boundingBox();
      expect(own!.x).toBeGreaterThan(column!.x + column!.width / 2);
      // The answer begins where the composer begins, with a scrollbar too.
      expect(Math.abs(answer!.x - (column!.x + 16))).toBeLessThan(1);
    },
  },
  {
    title: "what was filled into a form stands in the conversation and its export as lines, not as JSON",
    async run({ page, visit, operator }) {
      await visit("chat/new");
      await page
        .getByRole("textbox", { name: "Message" })
        .fill(`/call request_user_input ${JSON.stringify(FORM)}\n/then\n/say Booked.`);
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "City" }).fill("Rome");
      await page.getByRole("region", { name: "Your trip" }).getByRole("button", { name: "Send" }).click();
      await page.locator("p", { hasText: /^Booked\.$/ }).waitFor();
      await page.getByText("City: Rome", { exact: true }).waitFor();
      const id = page.url().split("/").at(-1) ?? "";
      const response = await operator.get("/api/chat/sessions/{id}/export", { params: { id } });
      const text = await response.text();
      expect(text).toContain("City: Rome");
      expect(text).not.toContain("promptId");
    },
  },
  {
    title: "two calls that wait for approval stand in the order in which they were made",
    async run({ page, visit }) {
      const zones = ["Asia/Tokyo", "Europe/Rome", "America/Lima", "Africa/Cairo", "Asia/Seoul", "Europe/Oslo"];
      await visit("chat/new");
      await page
        .getByRole("textbox", { name: "Message" })
        .fill(
          [
            ...zones.map((timezone) => `/call current_time ${JSON.stringify({ timezone })}`),
            "/then",
            "/say Done.",
          ].join("\n"),
        );
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Approve", exact: true }).nth(5).waitFor();
      const approve = page.getByRole("button", { name: "Approve", exact: true });
      const cards = await page.locator("section").filter({ has: approve }).allInnerTexts();
      const order = cards.flatMap((card) => {
        const found = zones.filter((zone) => card.includes(zone.split("/")[1]!));
        return found.length === 1 ? found : [];
      });
      expect(order).toEqual(zones);
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped", { exact: true }).waitFor();
    },
  },
  {
    title: "a notice covers neither the figures of a conversation nor its actions",
    async run({ page, visit, expectStatus }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await box.fill("/say One.\n/wait 600000");
      await page.keyboard.press("Enter");
      await page.locator("p", { hasText: /^One\.$/ }).waitFor();
      expectStatus(400);
      await page.route("**/steer", (route) =>
        route.request().method() === "POST"
          ? route.fulfill({ status: 400, json: { error: { code: "overloaded", message: "Not now." } } })
          : route.fallback(),
      );
      await box.fill("More.");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      const notice = await page.getByText("Your text is kept.").locator("xpath=..").boundingBox();
      const head = await page.locator("header").filter({ hasText: "Context" }).boundingBox();
      expect(notice!.y).toBeGreaterThanOrEqual(head!.y + head!.height);
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped", { exact: true }).waitFor();
    },
  },
  {
    title: "a diagram that was out of sight when the chat was opened is whole once a person scrolls to it",
    async run({ page, visit }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message", exact: true });
      await box.fill("/say ```mermaid\nflowchart LR\n  A[First of all] --> B[Last of all]\n```");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/chat\/chat-/);
      const frame = page.frameLocator("iframe[title=Diagram]");
      await frame.locator("svg").getByText("Last of all").first().waitFor();
      await box.fill(`/say ${"A line.\n\n".repeat(8)}The end.`);
      await page.keyboard.press("Enter");
      await page.getByText("The end.", { exact: true }).waitFor();
      // A version is a conversation of its own: all of it is shown anew, at its end.
      await page.getByRole("button", { name: "Retry" }).last().click();
      await page.getByRole("group", { name: "Versions" }).getByText("Version 2/ of 2").waitFor();
      await page.getByText("The end.", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Version before" }).click();
      await page.getByRole("group", { name: "Versions" }).getByText("Version 1/ of 2").waitFor();
      const log = page.getByRole("log");
      await expect
        .poll(async () => {
          await log.evaluate((element) => element.scrollTo(0, 0));
          return page.locator("[data-diagram=shown]").count();
        })
        .toBe(1);
      const places = await frame.locator("svg").evaluate((svg) => {
        const { width, height } = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll("foreignObject, text")].map((text) => text.getBoundingClientRect());
        return {
          width,
          height,
          inside: texts.every(({ left, right, top }) => left >= 0 && right <= width + 1 && top >= 0),
        };
      });
      expect(places).toEqual({ width: expect.any(Number), height: expect.any(Number), inside: true });
      expect(places.width).toBeGreaterThan(200);
      expect(places.height).toBeGreaterThan(30);
    },
  },
  {
    title: "formulas are MathML, a diagram is drawn in a frame without network, and its source is one press away",
    async run({ page, visit }) {
      await visit("chat/new");
      const flow = "```mermaid\nflowchart LR\n  A[Ask] --> B[Answer]\n```";
      await page
        .getByRole("textbox", { name: "Message" })
        .fill(`/say It is \\(\\frac{a}{b}\\) here.\n\n$$\n\\sum_{i=1}^n i\n$$\n\n${flow}`);
      await page.keyboard.press("Enter");
      const log = page.getByRole("log");
      await log.locator("math mfrac").first().waitFor({ state: "attached" });
      await log.locator("math[display=block] munderover").first().waitFor({ state: "attached" });
      await log.locator("[data-diagram=shown]").waitFor();
      const frame = page.frameLocator("iframe[title=Diagram]");
      await frame.locator("svg").getByText("Answer").first().waitFor();
      const reached = await frame.locator("body").evaluate(() => {
        try {
          return [window.origin, String(window.parent.document.title)];
        } catch {
          return [window.origin, "closed"];
        }
      });
      expect(reached).toEqual(["null", "closed"]);
      await log.getByRole("button", { name: "Show source" }).click();
      await log.getByText("flowchart LR").last().waitFor();
    },
  },
  {
    title:
      "code is wrapped, saved as a file of its kind and coloured whole, and a page of HTML is looked at in a frame",
    async run({ page, visit }) {
      await visit("chat/new");
      const html = "<h1>Hi there</h1><script>document.title='x';document.body.append('it runs')</scr" + "ipt>";
      await page
        .getByRole("textbox", { name: "Message" })
        .fill(`/say Two:\n\n\`\`\`diff\n-old\n+new\n\`\`\`\n\n\`\`\`html\n${html}\n\`\`\``);
      await page.keyboard.press("Enter");
      const blocks = page.getByRole("log").locator(".code-block");
      await blocks.nth(0).locator("span[style]", { hasText: "+new" }).waitFor();
      const colours = await blocks
        .nth(0)
        .locator("pre span[style]")
        .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color));
      expect(new Set(colours).size).toBeGreaterThan(1);
      await blocks.nth(0).getByRole("button", { name: "Wrap lines" }).click();
      const download = page.waitForEvent("download");
      await blocks.nth(0).getByRole("button", { name: "Save as a file" }).click();
      expect((await download).suggestedFilename()).toBe("code.diff");
      await blocks.nth(1).getByRole("button", { name: "Preview" }).click();
      const preview = page.frameLocator("iframe[title='Preview of the page']");
      await preview.getByRole("heading", { name: "Hi there" }).waitFor();
      await preview.getByText("it runs").waitFor();
    },
  },
  {
    title: "a table of an answer is sorted by the head that one presses, and saved as CSV",
    async run({ page, visit }) {
      await visit("chat/new");
      const table = "| Name | Size |\n|---|---:|\n| b | 18 GB |\n| a | 9 GB |\n| c | 140 GB |";
      await page.getByRole("textbox", { name: "Message" }).fill(`/say ${table}`);
      await page.keyboard.press("Enter");
      const cells = () => page.getByRole("log").locator("tbody td:first-child").allInnerTexts();
      await page.getByRole("columnheader", { name: "Size" }).getByRole("button").click();
      await expect.poll(cells).toEqual(["a", "b", "c"]);
      await page.getByRole("columnheader", { name: "Size" }).getByRole("button").click();
      await expect.poll(cells).toEqual(["c", "b", "a"]);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save as CSV" }).click();
      expect((await download).suggestedFilename()).toBe("table.csv");
    },
  },
  {
    title: "a turn that failed because of the connection leads to where it is mended, and others do not",
    async run({ page, visit }) {
      await visit("chat/new");
      const box = page.getByRole("textbox", { name: "Message" });
      await box.fill("/fail 400");
      await box.press("Enter");
      await page.getByText("asked to fail with 400").waitFor();
      const way = page.getByRole("link", { name: "Fix the connection" });
      await box.fill("/fail 401");
      await box.press("Enter");
      await way.waitFor();
      expect(await way.count()).toBe(1);
      await way.click();
      await page.getByRole("heading", { name: "Connections", level: 1 }).waitFor();
    },
  },
];
