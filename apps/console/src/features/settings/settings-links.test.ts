import { expect, test } from "vitest";
import { settingsLinks } from "./settings-links.ts";

const group = (section: string, title: string, category: string) => ({ section, title, category });
const heading = (name: string, title: string) => ({ name, title, description: `About ${title}.` });

test("each heading has its own pages, then the page of its other settings, named by what is on it", () => {
  const links = settingsLinks({
    categories: [heading("Identity", "Agent"), heading("Model", "Models"), heading("Knowledge", "Knowledge")],
    groups: [
      group("identity", "Name", "Identity"),
      ...["Default model", "Prompt cache", "Further models", "Older tool results"].map((title) =>
        group(title.toLowerCase(), title, "Model"),
      ),
    ],
  });
  expect(links.map(({ title, links: own }) => [title, own.map(({ label }) => label)])).toEqual([
    ["Agent", ["Name and persona"]],
    ["Models", ["Connections", "Default model, Prompt cache and 2 more"]],
    ["This console", ["Appearance"]],
  ]);
  expect(links[1]?.links[1]).toMatchObject({
    path: "/settings/all/model",
    sections: expect.arrayContaining(["prompt cache"]),
  });
});
