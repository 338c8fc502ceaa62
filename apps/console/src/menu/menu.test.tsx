import { Pin } from "lucide-react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Menu } from "./menu.tsx";

test("a menu that was not opened is a button that names it and says that it opens one", () => {
  const html = renderToStaticMarkup(
    <Menu label="Actions" icon={Pin} actions={[{ label: "Pin", icon: Pin, run: () => {} }]} />,
  );
  expect(html).toMatch(/^<button [^>]*aria-label="Actions"[^>]*aria-haspopup="menu"[^>]*aria-expanded="false"/);
  expect(html).not.toContain('role="menuitem"');
});
