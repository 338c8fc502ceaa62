import { expect } from "vitest";
import type { Journey } from "../rig/journey.ts";

const TOKEN = "journey-token";

export const journeys: readonly Journey[] = [
  {
    title:
      "a person shares a chat by a link with a preview, somebody reads it without a token, and the link is revoked",
    service: {
      config: `auth: { token: ${TOKEN} }\nshares: { enabled: true }\nmodel: { name: "scripted:demo" }\n`,
      env: { SVC_HEADLESS_SETUP: "true" },
    },
    async run({ page, visit, service, expectStatus }) {
      for (const message of ['/call calculator {"expression":"19 * 3"}', `Call it **57**; the token is ${TOKEN}.`]) {
        const said = await fetch(`${service.url}/api/chat`, {
          method: "POST",
          headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          body: JSON.stringify({ message, session_id: "proud" }),
        });
        expect(said.status).toBe(200);
      }
      expectStatus(401, 404);
      await visit("chat/proud");
      await page.getByLabel("Token").fill(TOKEN);
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByRole("button", { name: "Actions of this chat" }).click();
      await page
        .getByRole("button", { name: "Share…" })
        .or(page.getByRole("menuitem", { name: "Share…" }))
        .click();
      const dialog = page.getByRole("dialog", { name: "Share this chat" });
      const preview = dialog.getByRole("group", { name: "Text of the page" });
      await dialog.getByText(/secrets? (?:is|are) replaced by/).waitFor();
      expect(await preview.textContent()).not.toContain(TOKEN);
      await dialog.getByRole("checkbox", { name: "What tools were given" }).check();
      await preview.getByText('{"expression":"19 * 3"}').first().waitFor();
      await dialog.getByRole("button", { name: "1 day" }).click();
      await dialog.getByRole("button", { name: "Make the link" }).click();
      const link = (await dialog.getByText(/\/share\/[\w-]{43}$/).textContent()) ?? "";
      expect(link).toMatch(new RegExp(`^${service.url}/share/`));
      const stranger = await page.context().browser()!.newPage();
      await stranger.goto(link);
      await stranger.getByRole("heading", { level: 1 }).waitFor();
      const text = (await stranger.locator("body").textContent()) ?? "";
      expect(text).not.toContain(TOKEN);
      expect(text).toContain("***");
      // The sandboxed page has its style from the service.
      expect(await stranger.locator("body").evaluate((body) => getComputedStyle(body).maxWidth)).toBe("760px");
      await visit("settings/shares");
      await page.getByRole("button", { name: /^Revoke the link/ }).click();
      await page.getByText("Nothing is shared now.").waitFor();
      expect((await stranger.reload())?.status()).toBe(404);
      await stranger.getByText("Nothing is shared here").waitFor();
      await stranger.close();
    },
  },
];
