import { expect, it } from "vitest";
import { unpinnedWarning } from "../../../package-pins/index.ts";
import { readImport } from "../import/index.ts";
import { CATALOG, pinOf } from "./index.ts";

it("holds at least 20 servers, each once", () => {
  expect(CATALOG.length).toBeGreaterThanOrEqual(20);
  for (const key of ["id", "name"] as const)
    expect(new Set(CATALOG.map((entry) => entry[key])).size).toBe(CATALOG.length);
});

it.each(CATALOG)("is whole, pinned, and asks for what its template needs: $id", (entry) => {
  const { id, tagline, may, docs, template, inputs } = entry;
  expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,31}$/);
  expect(tagline).toMatch(/^[A-Z].{5,70}[^.]$/);
  expect(may).toMatch(/^[A-Z].{10,110}\.$/);
  expect(new URL(docs).protocol).toBe("https:");
  if (template.url === undefined) {
    expect(unpinnedWarning(template.command ?? "", template.args ?? [])).toBeUndefined();
    expect(pinOf(entry)?.version).toMatch(/^\d+\.\d+\.\d+$/);
  } else {
    const { protocol, username, search, hash } = new URL(template.url);
    expect([protocol, username, search, hash]).toEqual(["https:", "", "", ""]);
  }
  const [read] = readImport(JSON.stringify({ mcpServers: { [id]: template } })).servers;
  expect(read?.declaration).toEqual(template);
  const needed = (read?.inputs ?? []).map(({ key, required }) => ({ key, required }));
  const asked = inputs.map(({ key, required }) => ({ key, required }));
  const byKey = (one: { key: string }, other: { key: string }) => one.key.localeCompare(other.key);
  expect(asked.toSorted(byKey)).toEqual(needed.toSorted(byKey));
  // Other users of the machine see arguments.
  const inArgs = JSON.stringify(template.args ?? []);
  for (const { key, secret } of inputs) if (secret) expect(inArgs).not.toContain(key);
});
