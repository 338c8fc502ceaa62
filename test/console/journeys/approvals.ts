import * as v from "valibot";
import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

interface Line {
  readonly line: string;
}
/** A tool that asks, can be waived, and shows its command. */
const command = {
  name: "command",
  description: "Runs a command.",
  input: v.object({ line: v.string() }),
  approval: ({ line }: Line) => ({ title: `Run ${line}?`, detail: "", bypassable: true }),
  preview: ({ line }: Line) => ({
    ...{ kind: "command", argv: line.split(" "), shell: false, project: "app", cwd: "src", network: false },
    ...{ sandbox: null, env: ["PATH"], timeout: 120 },
  }),
  run: ({ line }: Line) => `ran ${line}`,
};

export const journeys: readonly Journey[] = [
  {
    title: "a person sees what waits, changes the arguments of a call, and approves it",
    async run({ page, visit, operator, service }) {
      const message = '/call current_time {"timezone":"Europe/Rome"}';
      const { task_id } = await operator.post("/api/chat", { body: { message, session_id: "approving" } });
      await visit("approvals");
      await page.getByText("Europe/Rome", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await page.getByRole("textbox", { name: "Arguments of current_time" }).fill('{"timezone": "Asia/Tokyo"}');
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByText("Nothing waits for you").waitFor();
      const task = await service.service.core.service.get(task_id);
      await task?.settled();
      expect(JSON.stringify(task?.view)).toContain("Asia/Tokyo");
    },
  },
  {
    title: "a person fills in a form of two steps, with problems shown beside their field, and declines another",
    async run({ page, visit, operator, service, expectStatus }) {
      const steps = [
        {
          title: "Place",
          schema: {
            ...{ type: "object", required: ["city", "nights"] },
            properties: { city: { type: "string" }, nights: { type: "integer", maximum: 30, default: 3 } },
          },
        },
        {
          schema: {
            type: "object",
            properties: { mail: { type: "string", format: "email" }, quiet: { type: "boolean" } },
          },
        },
      ];
      const message = `/call request_user_input ${JSON.stringify({ title: "Book a trip", steps })}`;
      const { task_id } = await operator.post("/api/chat", { body: { message, session_id: "form" } });
      await visit("approvals");
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByText("Fill this in.").waitFor();
      await page.getByRole("textbox", { name: "City" }).fill("Rome");
      await page.keyboard.press("Enter");
      await page.getByText("Step 2 of 2").waitFor();
      await page.getByRole("checkbox", { name: "Quiet" }).check();
      await page.getByRole("textbox", { name: "Mail" }).fill("nobody");
      expectStatus(400);
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Enter an e-mail address.").waitFor();
      await page.getByRole("textbox", { name: "Mail" }).fill("me@example.com");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Nothing waits for you").waitFor();
      const task = await service.service.core.service.get(task_id);
      await task?.settled();
      expect(JSON.stringify(task?.view)).toMatch(/Rome.+nights.+3.+me@example\.com/);

      const declined = await operator.post("/api/chat", { body: { message, session_id: "form" } });
      await page.getByRole("button", { name: "Decline…" }).click();
      await page.getByRole("textbox", { name: "Why not? (may stay empty)" }).fill("not this year");
      await page.getByRole("button", { name: "Decline", exact: true }).click();
      await page.getByText("Nothing waits for you").waitFor();
      const other = await service.service.core.service.get(declined.task_id);
      await other?.settled();
      expect(JSON.stringify(other?.view.answer)).toContain("declined\\nThey say: not this year");
    },
  },
  {
    title:
      "the keyboard alone answers a list: a number goes to a call, enter approves, D declines, escape decides nothing; what is remembered can be taken back",
    // Settings that ask for a tool ask each time, so what can be remembered is asked by the tool itself (F9).
    service: { tools: [command], env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      const call = (line: string) =>
        operator.post("/api/chat", {
          body: { message: `/call command ${JSON.stringify({ line })}`, session_id: `keys-${line}` },
        });
      const declined = await call("oslo");
      const approved = await call("madrid");
      await visit("approvals");
      await page.keyboard.press("1");
      const first = page.getByRole("region", { name: "Run madrid?" });
      await first.getByRole("checkbox", { name: "Do not ask again for this exact request" }).check();
      await page.keyboard.press("1");
      await page.keyboard.press("Enter");
      await first.waitFor({ state: "detached" });
      await page.waitForFunction(() => document.activeElement?.hasAttribute("data-prompt"));
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => !document.activeElement?.hasAttribute("data-prompt"));
      expect((await operator.get("/api/approvals", {})).pending).toBe(1);
      await page.keyboard.press("1");
      await page.keyboard.press("d");
      await page.getByText("Nothing waits for you").waitFor();
      const textOf = async (id: string) =>
        JSON.stringify(await operator.get("/api/a2a/tasks/{id}/journal", { params: { id } }));
      expect(await textOf(approved.task_id)).toContain('"outcome":"ok"');
      expect(await textOf(declined.task_id)).toContain('"outcome":"denied"');

      await page.getByRole("link", { name: "Always allowed" }).click();
      await page.getByText("madrid").waitFor();
      await page.getByRole("button", { name: "Ask again before command" }).click();
      await page.getByText("No call is always allowed").waitFor();
    },
  },
  {
    title: "two calls of one turn are asked about in their order, with the chat they come from, and approved together",
    async run({ page, visit, operator, service }) {
      const call = (timezone: string) => `/call current_time ${JSON.stringify({ timezone })}`;
      const { task_id } = await operator.post("/api/chat", {
        body: {
          message: `What time is it in both\n${call("Europe/Rome")}\n${call("Asia/Tokyo")}`,
          session_id: "both-at-once",
        },
      });
      await visit("approvals");
      await page.getByRole("link", { name: /^What time is it in both/ }).waitFor();
      await page.getByText("wants to read the clock.").first().waitFor();
      await page.getByText("You asked to be asked.").first().waitFor();
      expect(await page.locator("[data-prompt] dd").allInnerTexts()).toEqual(["Europe/Rome", "Asia/Tokyo"]);
      await page.getByRole("button", { name: "Approve both" }).click();
      await page.getByText("Nothing waits for you").waitFor();
      const task = await service.service.core.service.get(task_id);
      await task?.settled();
      expect(JSON.stringify(task?.view)).toMatch(/Europe\/Rome.*Asia\/Tokyo/s);
      await page.getByText("Nothing waits for you").waitFor();
    },
  },
  {
    title:
      "a person sees a command token by token, bypasses approvals in one chat, and is asked again when they want to be",
    service: { tools: [command], env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit }) {
      const send = async (line: string): Promise<void> => {
        await page.getByRole("textbox", { name: "Message" }).fill(`/call command {"line": "${line}"}`);
        await page.keyboard.press("Enter");
      };
      await visit("chat");
      await send("npm test");
      const card = page.getByRole("region", { name: "Run npm test?" });
      await card.getByText("none: it can reach what the service can").waitFor();
      const tokens = card.getByRole("list", { name: "Command, token by token" }).getByRole("listitem");
      expect(await tokens.allInnerTexts()).toEqual(["npm", "test"]);
      await card.getByRole("button", { name: "Decline" }).click();
      await card.waitFor({ state: "detached" });

      // A search for approvals must not waive them: the switch is no command of the palette.
      await page.keyboard.press("ControlOrMeta+k");
      const box = page.getByRole("combobox", { name: "Find a command" });
      await box.fill("approvals");
      await page.getByRole("option", { selected: true }).waitFor();
      expect(await page.getByRole("option", { name: /bypass/i }).count()).toBe(0);
      await page.keyboard.press("Escape");
      await box.waitFor({ state: "detached" });

      const banner = page.getByRole("region", { name: "Approvals are bypassed" });
      await page.getByRole("button", { name: "Bypass approvals" }).click();
      await banner.waitFor();
      await send("npm run build");
      await page.getByText("ran npm run build").first().waitFor();
      await page.getByText("not asked").first().waitFor();

      await page.reload();
      await banner.getByRole("button", { name: "Ask me again" }).click();
      await banner.waitFor({ state: "detached" });
      await page.getByText("not asked").first().waitFor();
      await send("npm ci");
      await page.getByRole("region", { name: "Run npm ci?" }).getByRole("button", { name: "Decline" }).click();
      await page.getByRole("region", { name: "Run npm ci?" }).waitFor({ state: "detached" });
    },
  },
];
