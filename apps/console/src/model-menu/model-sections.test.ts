import { expect, test } from "vitest";
import { type KnownModel, modelSections } from "./model-sections.ts";

const model = (key: string): KnownModel => ({
  ...{ key, connection: key.split(":")[0] ?? "", name: key.split(":")[1] ?? "" },
  ...{ context_window: null, price: null },
});
const models = ["a:lead", "a:one", "a:two", "b:lead", "b:three"].map(model);
const keys = (options: Partial<Parameters<typeof modelSections>[1]>) =>
  modelSections(models, { lead: "a:lead", favourites: [], recent: [], isSearch: false, ...options }).map(
    (section) => [section.title, section.models.map(({ key }) => key)] as const,
  );

test("each model stands once: the default first, also where it is a favourite and was used", () => {
  expect(keys({ favourites: ["b:three", "a:lead"], recent: ["b:three", "a:two", "a:lead", "gone:x"] })).toEqual([
    ["Default", ["a:lead"]],
    ["Favourites", ["b:three"]],
    ["Recent", ["a:two"]],
    ["a", ["a:one"]],
    ["b", ["b:lead"]],
  ]);
});

test("what is searched for is found below its connection", () => {
  expect(keys({ favourites: ["b:three"], recent: ["a:two"], isSearch: true })).toEqual([
    ["Default", ["a:lead"]],
    ["a", ["a:one", "a:two"]],
    ["b", ["b:lead", "b:three"]],
  ]);
});
