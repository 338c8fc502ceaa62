import { expect, test } from "vitest";
import { placeOf } from "./place.ts";

test("the console and its agent are found from where its scripts lie, below any prefix", () => {
  expect(placeOf("http://127.0.0.1:7870/app/assets/index-1.js")).toEqual({
    console: "/app",
    agent: "http://127.0.0.1:7870",
  });
  expect(placeOf("https://hub.example/agents/one/app/assets/index-1.js")).toEqual({
    console: "/agents/one/app",
    agent: "https://hub.example/agents/one",
  });
});
