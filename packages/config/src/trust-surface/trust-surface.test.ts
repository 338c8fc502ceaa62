import * as v from "valibot";
import { expect, test } from "vitest";
import type { Section } from "../section/index.ts";
import { isTrustSurface } from "./index.ts";

const field = { label: "L", description: "D.", type: "string" } as const;
const SECTIONS: readonly Section[] = [
  {
    name: "mail",
    description: "Mail.",
    schema: v.object({}),
    secrets: ["token"],
    fields: {
      host: field,
      port: field,
      token: { ...field, type: "secret" },
      "hook.command": { ...field, spawns: true },
      "guard.on": { ...field, security: true },
    },
  },
  {
    name: "peers",
    description: "Peers.",
    schema: v.optional(v.array(v.object({ id: v.string() }))),
    merge_by: "id",
    fields: { id: field },
  },
  { name: "who", description: "Who.", schema: v.object({}), fields: { name: field, host: field } },
  { name: "gate", description: "Gate.", schema: v.object({}), security: true, fields: { width: field } },
];

test.each([
  ["a section of document 3's list", "filesystem.projects"],
  ["one that has no owner in this release", "mcp.servers"],
  ["a secret", "mail.token"],
  ["an address that a secret is sent to", "mail.host"],
  ["a program to run", "mail.hook.command"],
  ["a key whose wrong value refuses the start", "mail.guard.on"],
  ["a list of connections", "peers.a.id"],
  ["a section whose wrong value refuses the start", "gate.width"],
  ["the list of what is hidden", "settings.hidden"],
])("%s is of the trust surface (document 3 set_config)", (_what, key) => {
  expect(isTrustSurface(SECTIONS, key)).toBe(true);
});

test.each(["mail.port", "who.name", "who.host", "nobody.knows"])("%s is not", (key) => {
  expect(isTrustSurface(SECTIONS, key)).toBe(false);
});
