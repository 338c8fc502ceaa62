import { expect, test } from "vitest";
import { baseUrlsOf } from "./base-urls.ts";

test("the console and its agent are found from where its scripts lie, below any prefix", () => {
  expect(baseUrlsOf("http://127.0.0.1:7870/app/assets/index-1.js")).toEqual({
    console: "/app",
    agent: "http://127.0.0.1:7870",
  });
  expect(baseUrlsOf("https://hub.example/agents/one/app/assets/index-1.js")).toEqual({
    console: "/agents/one/app",
    agent: "https://hub.example/agents/one",
  });
});
