// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of settings are written so
import { expect, it } from "vitest";
import { type ListedServer, serverFindings } from "./check-mcp-servers.ts";

const server = (name: string, more: Partial<ListedServer> = {}): ListedServer => ({
  ...{ name, enabled: true, state: "ready", detail: null, held_count: 0, warnings: [] },
  ...more,
});

it("counts servers that are connected, and says of the others what to do", () => {
  const listed = [
    server("good"),
    server("off", { enabled: false, state: "disabled" }),
    server("token", { state: "misconfigured", detail: "${TOKEN} has no value", warnings: ["no fixed version"] }),
    server("changed", { held_count: 2 }),
    server("gone", { state: "failing", detail: "there is no such program" }),
  ];
  expect(serverFindings(listed).map(({ state, text, remedy = "" }) => [state, text, remedy])).toEqual([
    ["warning", "4 servers, 2 connected", ""],
    [
      ...["warning", "token is not connected: ${TOKEN} has no value"],
      "agent-service mcp set token asks for what is missing",
    ],
    ["warning", "token: no fixed version", ""],
    ["warning", "changed: 2 definitions wait for approval", "agent-service mcp approve changed"],
    [
      ...["warning", "gone is not connected: there is no such program"],
      "agent-service mcp logs gone shows what it wrote; mcp restart gone tries at once",
    ],
  ]);
});

it("says nothing where no server is on, and one line where all is well", () => {
  expect(serverFindings([server("off", { enabled: false })])).toEqual([]);
  expect(serverFindings([server("good")])).toEqual([{ state: "ok", about: "mcp", text: "1 server, 1 connected" }]);
});

it("says which sign-ins end and are not renewed, and nothing of those that last", () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const day = 24 * 3_600_000;
  const listed = [
    server("soon", { auth_ends_at: at(day) }),
    server("over", { auth_ends_at: at(-day) }),
    server("lasts", { auth_ends_at: at(30 * day) }),
    server("renews", { auth_ends_at: null }),
  ];
  const [, ...found] = serverFindings(listed);
  expect(found.map(({ text, remedy }) => [text, remedy])).toEqual([
    [expect.stringMatching(/^the sign-in to soon ends at .* and is not renewed$/), "agent-service mcp login soon"],
    ["the sign-in to over has ended", "agent-service mcp login over"],
  ]);
});
