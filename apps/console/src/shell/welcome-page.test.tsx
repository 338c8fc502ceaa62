import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { WelcomePage } from "./welcome-page.tsx";

test("the page links to the card and the reference by paths that hold behind any proxy", () => {
  const page = renderToStaticMarkup(<WelcomePage />);
  const links = [...page.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
  expect(links).toEqual(["../.well-known/agent-card.json", "docs"]);
});

test("the page says plainly that the console is still to come", () => {
  expect(renderToStaticMarkup(<WelcomePage />)).toContain("comes with a later release");
});
