import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "a protected agent asks for its token, refuses a wrong one, and remembers the right one",
    service: { config: "auth: { token: journey-token }\n", env: { SVC_HEADLESS_SETUP: "true" } },
    async run({ page, visit, service, expectStatus }) {
      expectStatus(401);
      await visit("approvals");
      const token = page.getByLabel("Token");
      await token.fill("wrong");
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByText("The service refuses this token.").waitFor();
      await token.fill("journey-token");
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByRole("heading", { name: "Approvals" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Approvals" }).waitFor();
      // One that ceases to count while the page is open is asked for anew, where the person is.
      service.folders.configure("auth: { token: another-token }\n");
      // A press that asks the service; its event stream may have noticed before, and then there is nothing to press.
      await page.evaluate(() => document.querySelector<HTMLElement>("a[href$='/tasks']")?.click());
      await page.getByText("This browser's token is refused.").waitFor();
      const { pathname } = new URL(page.url());
      await token.fill("another-token");
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByRole("heading", { name: pathname.endsWith("tasks") ? "Runs" : "Approvals" }).waitFor();
    },
  },
];
