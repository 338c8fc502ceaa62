import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { TestServiceOptions } from "../../../apps/server/src/testing/test-service.ts";
import { QUESTION, SAYS } from "./tour-model.ts";

/** Where the tour takes place, and how it is watched. */
export interface TourPlace {
  readonly page: Page;
  /** The model's address. */
  readonly gateway: string;
  visit(screen: string): Promise<void>;
  expectStatus(...codes: readonly number[]): void;
  /** One thing that the person does; rejects where it does not come to what is to be seen. */
  step(title: string, work: () => Promise<void>): Promise<void>;
  /** Writes a text as a person does. */
  write(box: Locator, text: string): Promise<void>;
  /** The tour goes on in this page. */
  turnTo(page: Page): Promise<void>;
}

/** How many things the person does. */
export const STEPS = 8;
/** The one after which the agent has a model. */
export const CONNECTED = "Connect a model";

const TOKEN = "tour-token";

/** The service of the tour: nothing but what an operator wrote down before the first start. */
export const TOUR_SERVICE: TestServiceOptions = {
  config: `auth: { token: ${TOKEN} }\nshares: { enabled: true }\nenforcement: { require_approval: [current_time] }\n`,
  env: { SVC_MODEL: "" },
};

/** What somebody does who sees the console for the first time, from its address to a link that is passed on. */
export async function tour(place: TourPlace): Promise<void> {
  const { page, step, write } = place;
  const box = page.getByRole("textbox", { name: "Message", exact: true });
  const send = async (text: string): Promise<void> => {
    await write(box, text);
    await page.keyboard.press("Enter");
  };
  await step("Open the console and enter its token", () => enter(place));
  await step(CONNECTED, () => connect(place));
  await step("Get an answer with a diagram and a table", async () => {
    await send(SAYS.explain);
    await page.locator("[data-diagram=shown]").waitFor();
    await page.frameLocator("iframe[title=Diagram]").locator("svg").getByText("Journal").first().waitFor();
    await page.getByRole("row", { name: /Tool call.*never made twice/ }).waitFor();
  });
  await step("Stop an answer that is too long", async () => {
    await send(SAYS.long);
    await page.getByText("monks kept the fires", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped", { exact: true }).waitFor();
  });
  await step("Change the question, and compare both answers", () => compare(place));
  await step("Answer the agent's question in the message box", async () => {
    await send(SAYS.plan);
    await page.getByRole("region", { name: QUESTION }).waitFor();
    await page.getByPlaceholder(/^Answer /).waitFor();
    await send(SAYS.taste);
    await page.getByText("8:30, tram 28", { exact: false }).waitFor();
  });
  await step("Approve a call on a phone", () => approve(place, send));
  await step("Share the run by a link", () => share(place));
}

async function enter({ page, visit, expectStatus, write }: TourPlace): Promise<void> {
  expectStatus(401);
  await visit("");
  await write(page.getByLabel("Token"), TOKEN);
  await page.getByRole("button", { name: "Enter" }).click();
  await page.getByLabel("Name").waitFor();
}

async function connect({ page, gateway, write }: TourPlace): Promise<void> {
  await write(page.getByLabel("Name"), "Ada");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: /^Other/ }).click();
  await write(page.getByLabel("Address"), gateway);
  await page.getByLabel("Key").click();
  await page.getByRole("button", { name: /^lisbon-large/ }).click();
  await page.getByText("Answer works").waitFor();
  await page.getByText("Tool call works").waitFor();
  await page.getByRole("button", { name: "Start chatting" }).click();
  await page.getByRole("list", { name: "Ways to begin" }).waitFor();
}

async function compare({ page, write }: TourPlace): Promise<void> {
  const turn = page.getByRole("article", { name: "Turn", exact: true }).last();
  const versions = page.getByRole("group", { name: "Versions" });
  await turn.hover();
  await turn.getByRole("button", { name: "Change this message" }).click();
  const change = page.getByRole("textbox", { name: "Change the message" });
  await change.fill("");
  await write(change, SAYS.short);
  await page.getByRole("button", { name: "Ask this instead" }).click();
  await page.getByText("run without a keeper", { exact: false }).waitFor();
  await versions.getByText("Version 2/ of 2").waitFor();
  await page.getByRole("button", { name: "Version before" }).click();
  await page.getByText("monks kept the fires", { exact: false }).waitFor();
  await versions.getByText("Version 1/ of 2").waitFor();
  await isInSight(versions);
  await page.getByRole("button", { name: "Version after" }).click();
  await page.getByText("run without a keeper", { exact: false }).waitFor();
  await isInSight(versions);
}

/** Resolves once what a person compares is before their eyes, whatever is drawn above it meanwhile. */
async function isInSight(place: Locator): Promise<void> {
  await place.evaluate(async (element) => {
    const isOut = (): boolean => {
      const { top, bottom } = element.getBoundingClientRect();
      return top < 48 || bottom > window.innerHeight;
    };
    while (isOut()) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

async function approve({ page }: TourPlace, send: (text: string) => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await send(SAYS.clock);
  const card = page.getByRole("region", { name: "Read the clock?" });
  await card.getByText("Europe/Lisbon").waitFor();
  await card.getByRole("button", { name: "Approve" }).click();
  await page.getByText(/^It is \d+:\d+ in Lisbon\.$/).waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 390, "the page is as wide as the phone");
}

async function share({ page, turnTo }: TourPlace): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "How it got there" }).last().click();
  const why = page.getByRole("complementary", { name: "How it got there" });
  await why.getByRole("link", { name: "Open the run" }).click();
  await page.getByRole("button", { name: "Share this run" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "1 day" }).click();
  await dialog.getByRole("button", { name: "Make the link" }).click();
  const link = (await dialog.getByText(/\/share\/[\w-]{43}$/).textContent()) ?? "";
  // Somebody else, without the token.
  const context = await page
    .context()
    .browser()!
    .newContext({ viewport: { width: 1280, height: 800 } });
  const stranger = await context.newPage();
  try {
    await stranger.goto(link);
    await turnTo(stranger);
    await stranger.getByText(SAYS.clock).first().waitFor();
    await stranger
      .getByText(/in Lisbon\./)
      .first()
      .waitFor();
    assert.equal((await stranger.locator("body").textContent())?.includes(TOKEN), false, "the page holds no token");
  } finally {
    await turnTo(page);
    await context.close();
  }
}
