import { expect } from "vitest";
import { localGateway, textReply } from "../../../packages/agent-core/src/testing/index.ts";
import type { Journey } from "../rig/journey.ts";

/** Nobody has said how it is to run: the scripted model leads by default. */
const fresh = { env: { SVC_MODEL: "" } };

export const journeys: readonly Journey[] = [
  {
    title: "on an empty machine a person finishes the wizard with a model that was tested, and talks to the agent",
    service: fresh,
    async run({ page, visit, operator }) {
      const gateway = await localGateway(textReply("ready"));
      gateway.list([{ id: "small" }]);
      try {
        await visit("");
        await page.getByRole("button", { name: "Begin" }).click();
        await page.getByLabel("Name").fill("Ada");
        await page.getByRole("button", { name: "researcher" }).click();
        await page.getByText("Finds out how things are", { exact: false }).waitFor();
        await page.getByRole("button", { name: "Next" }).click();
        await page.getByLabel("Address").fill(gateway.baseUrl);
        await page.getByRole("button", { name: "List models" }).click();
        await page.getByText("The server lists 1 model.").waitFor();
        await page.getByRole("button", { name: "Test", exact: true }).click();
        await page.getByText("Answer works").waitFor();
        await page.getByRole("button", { name: "Finish" }).click();
        await page.getByText("small answers", { exact: false }).waitFor();
        const status = await operator.get("/api/runtime/status");
        expect(status).toMatchObject({
          setup_complete: true,
          identity: { name: "Ada" },
          model: { name: "small" },
        });
        await page.getByRole("button", { name: "Talk to it" }).click();
        await page.waitForURL(/\/chat/);
      } finally {
        await gateway.close();
      }
    },
  },
  {
    title: "the wizard can be left for the scripted model, and is not in the way after that",
    service: fresh,
    async run({ page, visit }) {
      await visit("");
      await page.getByRole("button", { name: "Skip, and try the scripted model" }).click();
      await page.waitForURL(/\/chat/);
      await visit("");
      await page.waitForURL(/\/chat/);
      await page.getByRole("link", { name: "Connect one" }).click();
      await page.getByRole("heading", { name: "Welcome" }).waitFor();
    },
  },
];
