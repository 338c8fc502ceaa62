import { expect } from "vitest";
import {
  errorReply,
  type GatewayRequest,
  localGateway,
  textReply,
  toolReply,
} from "../../../packages/agent-core/src/testing/index.ts";
import type { Journey } from "../rig/journey.ts";

/** Nothing is configured: the scripted model leads by default. */
const fresh = { env: { SVC_MODEL: "" } };

/** A model that looks at the clock before it answers a conversation with tools. */
function clockReader({ body }: GatewayRequest) {
  const { messages, tools } = body as { messages: { role: string; content: unknown }[]; tools?: unknown[] };
  const last = messages.at(-1);
  if (last?.role === "tool") return textReply("It is evening in Tokyo.");
  if (JSON.stringify(last).includes("Tokyo") && tools !== undefined)
    return toolReply({ name: "current_time", args: { timezone: "Asia/Tokyo" } });
  return textReply("ready");
}

export const journeys: readonly Journey[] = [
  {
    title:
      "on an empty machine a person finishes the wizard with a model that was tested, has a tool ask first, talks to the agent, approves, and reads what happened",
    service: fresh,
    async run({ page, visit, operator }) {
      const gateway = await localGateway(clockReader);
      gateway.list([{ id: "small" }]);
      try {
        await visit("");
        await page.getByLabel("Name").fill("Ada");
        await page.locator("[data-figure]").getByText("A", { exact: true }).first().waitFor();
        await page.getByRole("button", { name: "researcher" }).click();
        await page.getByText("Its persona").click();
        await page.getByText("Finds out how things are", { exact: false }).waitFor();
        await page.getByRole("button", { name: "Next" }).click();
        await page.getByRole("button", { name: /^Other/ }).click();
        await page.getByLabel("Address").fill(gateway.baseUrl);
        await page.getByLabel("Key").click();
        await page.getByText("The server lists 1 model.").waitFor();
        await page.getByRole("button", { name: /^small/ }).click();
        await page.getByText("Answer works").waitFor();
        await page.getByRole("button", { name: "Start chatting" }).click();
        await page.getByText("small answers", { exact: false }).waitFor();
        await page.waitForURL(/\/chat/);
        const starters = page.getByRole("list", { name: "Ways to begin" });
        await starters.waitFor();
        expect(await starters.getByRole("button").count()).toBe(4);
        const status = await operator.get("/api/runtime/status");
        expect(status).toMatchObject({
          setup_complete: true,
          identity: { name: "Ada" },
          model: { name: "small" },
        });
        await page.getByRole("link", { name: "Approvals" }).click();
        await page.getByRole("link", { name: "Choose which tools ask first" }).click();
        await page.getByRole("checkbox", { name: "Ask first: current_time" }).check();
        await page.getByText("Saved. It is in effect now.").waitFor();
        await page.getByRole("link", { name: "Chat", exact: true }).click();
        await page.getByRole("textbox", { name: "Message" }).fill("Which time of day is it in Tokyo?");
        await page.keyboard.press("Enter");
        await page.getByRole("region", { name: "Read the clock?" }).getByText("Asia/Tokyo").waitFor();
        await page.getByRole("button", { name: "Approve" }).click();
        await page.getByText("It is evening in Tokyo.").waitFor();
        await page.getByRole("button", { name: "How it got there" }).click();
        const why = page.getByRole("complementary", { name: "How it got there" });
        await why.getByText("current_time").waitFor();
        await why.getByRole("link", { name: "Open the run" }).click();
        await page.getByRole("heading", { level: 1, name: "Which time of day is it in Tokyo?" }).waitFor();
        await page.getByRole("region", { name: "Timeline" }).getByText("current_time").waitFor();
      } finally {
        await gateway.close();
      }
    },
  },
  {
    title: "the wizard says under the field what to correct, and keeps what was entered on the way back",
    service: fresh,
    async run({ page, visit, operator }) {
      const gateway = await localGateway(({ headers }) =>
        headers.authorization === "Bearer right" ? textReply("ready") : errorReply(401, "no such key"),
      );
      const closed = await localGateway(textReply(""));
      await closed.close();
      try {
        await visit("setup");
        await page.getByRole("button", { name: "Next" }).click();
        for (const name of ["OpenAI", "Anthropic", "OpenRouter", "Google", "Groq", "Mistral", "DeepSeek"])
          await page.getByRole("button", { name: new RegExp(`^${name}`) }).waitFor();
        for (const name of ["LM Studio", "vLLM", "LiteLLM", "Other", "Try the demo"])
          await page.getByRole("button", { name: new RegExp(`^${name}`) }).waitFor();
        await page.getByRole("button", { name: /^Anthropic/ }).click();
        await page.getByText("OpenAI-compatible endpoint", { exact: false }).waitFor();
        const link = page.getByRole("link", { name: "Get a key from Anthropic" });
        expect(await link.getAttribute("href")).toBe("https://platform.claude.com/settings/keys");
        await page.getByRole("button", { name: "Back" }).click();
        await page.getByRole("button", { name: /^Other/ }).click();
        const address = page.getByLabel("Address");
        await address.fill(closed.baseUrl);
        await page.getByLabel("Key").click();
        await page
          .getByText(/^Nothing answers at 127\.0\.0\.1:\d+\. Start the server, or correct the address\.$/)
          .waitFor();
        expect(await address.getAttribute("aria-invalid")).toBe("true");
        expect(await page.getByLabel("Model", { exact: true }).getAttribute("aria-invalid")).toBeNull();
        expect(await page.getByText("ECONNREFUSED").count()).toBe(0);
        await address.fill(gateway.baseUrl);
        await page.getByLabel("Model", { exact: true }).fill("real");
        await page.getByLabel("Key").fill("wrong");
        await page.getByRole("button", { name: "Start chatting" }).click();
        await page.getByText(/refuses this key\. Copy it again/).waitFor();
        expect(await page.getByLabel("Key").getAttribute("aria-invalid")).toBe("true");
        expect(await address.getAttribute("aria-invalid")).toBeNull();
        expect(await operator.get("/api/runtime/status")).toMatchObject({ setup_complete: false });
        await page.getByLabel("Key").fill("right");
        await page.getByRole("button", { name: "Start chatting" }).click();
        await page.waitForURL(/\/chat/);
        expect(await operator.get("/api/runtime/status")).toMatchObject({ setup_complete: true });
      } finally {
        await gateway.close();
      }
    },
  },
  {
    title: "the wizard can be left for the scripted model, which shows an approval, and is not in the way after that",
    service: fresh,
    async run({ page, visit, operator }) {
      await visit("");
      await page.getByLabel("Name").fill("Ada");
      await page.getByRole("button", { name: "Next" }).click();
      await page.getByRole("button", { name: /^Try the demo/ }).click();
      await page.getByRole("heading", { name: "What should Ada do?" }).waitFor();
      expect(await operator.get("/api/runtime/status")).toMatchObject({ setup_complete: false });
      await page.getByRole("button", { name: /^Ask me first/ }).click();
      await page.getByRole("button", { name: "Ask first, and try it" }).click();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByText("current_time returned", { exact: false }).waitFor();
      // The card was on the person's page: no notice was needed.
      expect(await page.getByText("The agent waits for you.").count()).toBe(0);
      await visit("");
      await page.waitForURL(/\/chat/);
      await page.getByRole("link", { name: "Connect a model" }).click();
      await page.getByRole("heading", { name: "Who is it?" }).waitFor();
    },
  },
];
