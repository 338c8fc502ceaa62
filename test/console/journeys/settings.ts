import { expect } from "vitest";
import { localGateway } from "../../../packages/agent-core/src/testing/index.ts";
import { createOperatorClient } from "../../../packages/operator-api/src/client.ts";
import { violationsInThemes } from "../rig/accessibility.ts";
import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "a person finds a setting, sees its bounds, saves it, and resets it; a refusal is shown at its field",
    async run({ page, visit, operator, expectStatus }) {
      expectStatus(400);
      await visit("settings/all");
      await page.getByRole("searchbox", { name: "Search all settings" }).fill("temperature");
      const field = page.getByRole("textbox", { name: "Temperature" });
      await field.fill("9");
      await page.getByRole("button", { name: "Save 1 change" }).click();
      await page.getByRole("alert").getByText("At most 2.").waitFor();
      await field.fill("0.6");
      await page.getByRole("button", { name: "Save 1 change" }).click();
      await page.getByText("Saved. It is in effect now.").waitFor();
      expect((await operator.get("/api/config")).config).toMatchObject({ model: { temperature: 0.6 } });
      await page.getByRole("button", { name: "Reset to 0.2" }).click();
      await page.getByRole("button", { name: "Reset to 0.2" }).waitFor({ state: "detached" });
      expect(await field.inputValue()).toBe("0.2");
      await page.getByRole("searchbox", { name: "Search all settings" }).fill("egress");
      const hosts = page.getByRole("textbox", { name: "Allowed hosts" });
      await hosts.fill('["not a host!"]');
      await page.getByRole("button", { name: "Save 1 change" }).click();
      await page.getByRole("alert").getByText("xpected a host name", { exact: false }).waitFor();
      expect(await hosts.inputValue()).toBe('["not a host!"]');
    },
  },
  {
    title: "what two people change at once is settled by who comes second, and nothing that is entered is lost unasked",
    async run({ page, visit, operator }) {
      const theirs = (updates: Record<string, unknown>) => operator.post("/api/settings", { body: { updates } });
      await visit("settings/all/model");
      const field = page.getByRole("textbox", { name: "Retries" });
      await field.fill("5");
      // What others change elsewhere is nothing to settle.
      await theirs({ "model.temperature": 0.3, "model.max_retries": 3 });
      await page.getByText("It was changed elsewhere since you began.", { exact: false }).waitFor();
      expect(await page.getByLabel("Retries, as it is elsewhere").textContent()).toBe("3");
      expect(await page.getByRole("button", { name: "Save 1 change" }).isDisabled()).toBe(true);
      await page.getByRole("link", { name: "Tools", exact: true }).click();
      await page.getByRole("link", { name: /^Default model, .* 1 not saved$/ }).click();
      expect(await field.inputValue()).toBe("5");
      await page.getByRole("link", { name: /^Approvals/ }).click();
      await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
      await page.getByRole("button", { name: "Keep mine" }).click();
      await page.getByRole("button", { name: "Save 1 change" }).click();
      await page.getByText("Saved. It is in effect now.").waitFor();
      expect((await operator.get("/api/config")).config).toMatchObject({ model: { max_retries: 5 } });
      await field.fill("7");
      await page.getByRole("link", { name: /^Approvals/ }).click();
      await page.getByRole("button", { name: "Leave and discard" }).click();
      await page.getByRole("heading", { level: 1, name: "Approvals" }).waitFor();
      await operator.post("/api/settings/reset", { body: { keys: ["model.temperature", "model.max_retries"] } });
    },
  },
  {
    title: "a tool is taken away and given back, and the console goes dark in every browser",
    async run({ page, visit, operator }) {
      await visit("approvals");
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox", { name: "Find a command" }).fill("settings tools");
      await page.keyboard.press("Enter");
      const calculator = page.getByRole("switch", { name: "calculator" });
      await calculator.click();
      await page.getByText("Saved. It is in effect now.").waitFor();
      expect((await operator.get("/api/tools")).disabled).toEqual(["calculator"]);
      await calculator.click();
      await expect.poll(async () => (await operator.get("/api/tools")).disabled).toEqual([]);
      await visit("settings/appearance");
      await page.getByRole("radio", { name: /^Dark/ }).check();
      await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
      await expect.poll(async () => (await operator.get("/api/theme")).theme).toEqual({ mode: "dark" });
      await operator.delete("/api/theme");
    },
  },
  {
    title: "a subscription is connected with its tokens, which are never shown again",
    async run({ page, visit, operator }) {
      await visit("settings/connections");
      await page.getByRole("button", { name: "Add" }).click();
      const form = page.getByRole("dialog", { name: "Add a connection" });
      await form.getByLabel("Type", { exact: true }).selectOption({ label: "Anthropic subscription" });
      await form.getByRole("button", { name: "Add" }).click();
      await form.getByText("Enter the access token, or what renews it", { exact: false }).waitFor();
      expect(await form.getByLabel("Access token").evaluate((field) => field === document.activeElement)).toBe(true);
      await form.getByLabel("Access token").fill("an-access-token");
      await form.getByText("Renewal before it expires").click();
      await form.getByLabel("Client id").fill("mine");
      await form.getByRole("button", { name: "Add" }).click();
      await page.getByRole("heading", { name: "subscription" }).waitFor();
      const { providers } = await operator.get("/api/providers");
      expect(providers).toContainEqual(
        expect.objectContaining({ id: "subscription", type: "oauth-subscription-a", key_set: true }),
      );
      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Remove subscription and its key" }).click();
      await page.getByText("Removed subscription and its key.").waitFor();
    },
  },
  {
    title: "a person enters the price of a model, and another address of a connection does not get its key",
    async run({ page, visit, operator }) {
      const [before, after] = await Promise.all([localGateway({ steps: [] }), localGateway({ steps: [] })]);
      try {
        for (const gateway of [before, after]) gateway.list([{ id: "house-model" }]);
        const { provider } = await operator.post("/api/providers", {
          body: { id: "moving", type: "compat-gateway", base_url: before.baseUrl, api_key: "a-key-of-the-first" },
        });
        const stored = async () =>
          (await operator.get("/api/providers")).providers.find(({ id }) => id === provider.id);
        await visit("settings/connections");
        const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "moving" }) });
        await row.getByRole("button", { name: "Models" }).click();
        await row.getByRole("button", { name: "Enter the price of house-model" }).click();
        const prices = row.getByRole("form", { name: "Price of house-model" });
        await prices.getByLabel("Dollars per million tokens in").fill("0.25");
        await prices.getByRole("button", { name: "Save" }).click();
        await prices.getByText("Enter dollars, for example 0.25.").waitFor();
        await prices.getByLabel("Out").fill("1.5");
        await prices.getByRole("button", { name: "Save" }).click();
        await row.getByText("$0.25 in, $1.50 out per million").waitFor();
        expect((await stored())?.models).toEqual({ "house-model": { price: { input: 0.25, output: 1.5 } } });
        await row.getByRole("button", { name: "Change" }).click();
        const form = page.getByRole("dialog", { name: "Change moving" });
        await form.getByLabel("Address").fill(after.baseUrl);
        await form.getByRole("button", { name: "Save" }).click();
        await form.getByText("Enter the key for the new address.").waitFor();
        expect(await stored()).toMatchObject({ base_url: before.baseUrl, key_set: true });
        await form.getByLabel("The new address needs no key").check();
        await form.getByRole("button", { name: "Save" }).click();
        await form.waitFor({ state: "detached" });
        expect(await stored()).toMatchObject({ base_url: after.baseUrl, key_set: false });
        await row.getByText("No key").waitFor();
        const sent = [...before.requests, ...after.requests].map(({ headers }) => headers.authorization);
        expect(sent.slice(before.requests.length)).not.toContain("Bearer a-key-of-the-first");
      } finally {
        await operator.delete("/api/providers/{id}", { params: { id: "moving" } });
        await Promise.all([before.close(), after.close()]);
      }
    },
  },
  {
    title: "the access token is set and changed without locking oneself out",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, service, expectStatus }) {
      // What the token of before is refused with, as the console makes sure of it.
      expectStatus(401);
      await visit("settings/connect");
      // One for peers means nothing while everybody is let in.
      expect(await page.getByRole("button", { name: "Make a token for peers" }).count()).toBe(0);
      await page.getByRole("link", { name: "Set the access token" }).click();
      const as = (token: string) => createOperatorClient({ baseUrl: service.url, token }).get("/api/runtime/status");
      await page.getByLabel("Token", { exact: true }).fill("a-first-token-of-mine");
      await page.getByRole("button", { name: "Set the token" }).click();
      await page.getByText("A token is set").waitFor();
      await expect(as("wrong")).rejects.toMatchObject({ status: 401 });
      await page.getByRole("button", { name: "Make one" }).click();
      const made = await page.getByLabel("New token").inputValue();
      await page.getByRole("button", { name: "Change the token" }).click();
      await page.getByText("The token is changed.", { exact: false }).last().waitFor();
      await expect.poll(() => page.getByLabel("New token").inputValue()).toBe("");
      await expect(as("a-first-token-of-mine")).rejects.toMatchObject({ status: 401 });
      await expect(as(made)).resolves.toMatchObject({ setup_complete: true });
      await page.reload();
      await page.getByText("A token is set").waitFor();
      await page.getByRole("link", { name: "Connect to this agent" }).click();
      await page.getByRole("button", { name: "Make a token for peers" }).click();
      await page.getByText("Copy it now: the service does not show it again.").waitFor();
    },
  },
  {
    title: "a person reads what the persona said before, and has it say that again",
    service: { env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, operator }) {
      // What is saved is noted as a version a moment later: two that come at once are one.
      const versionsKept = async () => (await operator.get("/api/config/soul/versions")).versions.length;
      for (const [at, soul] of ["You are terse.", "You are verbose."].entries()) {
        await operator.post("/api/config", { body: { soul } });
        await expect.poll(versionsKept).toBe(at + 1);
      }
      await visit("settings/persona");
      const versions = page.getByRole("region", { name: "Versions of the persona" });
      await versions.getByRole("button", { name: "Read version 1" }).click();
      await versions.getByText("You are terse.").waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await versions.getByRole("button", { name: "Restore version 1" }).click();
      await versions.getByRole("heading", { name: "Version 3" }).waitFor();
      expect((await operator.get("/api/config")).soul).toBe("You are terse.");
    },
  },
];
