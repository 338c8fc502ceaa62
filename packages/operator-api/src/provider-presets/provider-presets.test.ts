import { describe, expect, it } from "vitest";
import { PROVIDER_PRESETS, presetOf, suggestedConnectionId } from "./provider-presets.ts";

describe("the presets of providers", () => {
  it.each(PROVIDER_PRESETS)(
    "have an id for a connection, an address and a page for keys that are addresses: $id",
    (preset) => {
      const { id, name, place, baseUrl, keyPage, keyEnv, note } = preset;
      expect(id).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
      expect(name.trim()).toBe(name);
      expect(PROVIDER_PRESETS.filter((other) => other.id === id || other.name === name)).toHaveLength(1);
      if (place === "own") expect(baseUrl).toBe("");
      else {
        const url = new URL(baseUrl);
        expect(url.protocol).toBe(place === "local" ? "http:" : "https:");
        expect(url.hostname === "127.0.0.1").toBe(place === "local");
        expect(baseUrl).toBe(url.origin + url.pathname.replace(/\/+$/, ""));
        expect(presetOf(baseUrl)).toBe(preset);
      }
      // A vendor's key is made somewhere, and is never sent in the clear.
      expect(keyPage !== undefined).toBe(place === "hosted");
      if (keyPage !== undefined) expect(new URL(keyPage).protocol).toBe("https:");
      if (keyEnv !== undefined) expect(keyEnv).toMatch(/^[A-Z][A-Z0-9_]*$/);
      if (note !== undefined) expect(note).toMatch(/^[A-Z].*\.$/);
    },
  );

  it("are found again by another path, and by the port on another machine", () => {
    expect(presetOf("https://api.deepseek.com/v1")?.id).toBe("deepseek");
    expect(presetOf("http://studio.lan:1234/v1")?.id).toBe("lm-studio");
    expect(presetOf("https://api.openai.com.example.com/v1")).toBeUndefined();
    expect(presetOf("no address")).toBeUndefined();
  });
});

it.each([
  ["https://api.anthropic.com/v1", "anthropic"],
  ["http://127.0.0.1:11434/v1", "ollama"],
  ["http://127.0.0.1:8080/v1", "llama"],
  ["https://api.example.com/v1", "example"],
  ["https://models.example.org", "example"],
  ["http://10.0.0.7:9999/v1", "gateway"],
  ["nonsense", "gateway"],
])("an address names its connection: %s, %s", (address, id) => {
  expect(suggestedConnectionId(address)).toBe(id);
  expect(suggestedConnectionId(address, [id, `${id}-2`])).toBe(`${id}-3`);
});
