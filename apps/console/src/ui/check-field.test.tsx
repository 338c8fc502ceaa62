import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CheckField } from "./check-field.tsx";

test("a checkbox is labelled by the text after it", () => {
  const shown = renderToStaticMarkup(<CheckField label="Follow" className="gap-2" checked readOnly disabled />);
  const [, id] = /<label for="([^"]+)" class="flex items-center gap-2">/.exec(shown) ?? [];
  expect(shown).toMatch(/<input.*type="checkbox".*\/>Follow<\/label>$/);
  expect(shown).toContain(`id="${id}"`);
  expect(shown).toMatch(/disabled="".*checked=""|checked="".*disabled=""/);
});
