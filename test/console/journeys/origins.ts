import type { Journey } from "../rig/journey.ts";

export const journeys: readonly Journey[] = [
  {
    title: "with streams for listed origins alone, the console follows what happens all the same",
    service: {
      env: { SVC_HEADLESS_SETUP: "true", SVC_MODEL: "scripted:demo", A2A_ALLOWED_ORIGINS: "https://other.example" },
    },
    async run({ page, visit, service }) {
      await visit("chat");
      await page.getByRole("textbox", { name: "Message" }).fill("/say One piece\n/wait 100\n/say and **another**.");
      await page.keyboard.press("Enter");
      await page.locator("strong", { hasText: "another" }).waitFor();
      await page.getByRole("link", { name: "Runs" }).click();
      await page.getByRole("heading", { name: "Runs" }).waitFor();
      // Updated by the event stream, without any action on the page.
      await service.wire.say("/say from elsewhere");
      await page.getByText("from elsewhere").first().waitFor();
    },
  },
];
