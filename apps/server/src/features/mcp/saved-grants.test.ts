import { mcpSection } from "@agent-service/agent-core/host";
import { parse } from "valibot";
import { expect, it } from "vitest";
import { savedGrants } from "./saved-grants.ts";

it("keeps the grant of a configured server, and none that comes after the server was removed", async () => {
  const mcp = parse(mcpSection.schema, { servers: [{ name: "bank", url: "https://bank.example/mcp" }] });
  const settings = { mcp };
  const saves: unknown[] = [];
  const save = savedGrants(settings, {
    save: async (edits) => {
      saves.push(...edits);
      return undefined as never;
    },
  });
  await save("bank", "a grant");
  expect(saves).toEqual([{ section: "mcp", key: "oauth", value: { bank: "a grant" } }]);
  settings.mcp = { ...mcp, servers: [] };
  await save("bank", "a late grant");
  expect(saves).toHaveLength(1);
  settings.mcp = { ...mcp, servers: [], oauth: { bank: "a grant" } };
  await save("bank", undefined);
  expect(saves.at(-1)).toEqual({ section: "mcp", key: "oauth", value: undefined });
});
