import { expect, test } from "vitest";
import { bodyOf, changesOf, draftOf, EMPTY_DRAFT } from "./target-draft.ts";

test("a program is sent with its arguments by line and its variables by their first sign", () => {
  const draft = { ...EMPTY_DRAFT, name: " files ", command: "npx", args: "-y\n\n a b \n", secrets: "TOKEN=a=b" };
  expect(bodyOf(draft)).toEqual({ name: "files", command: "npx", args: ["-y", "a b"], env: { TOKEN: "a=b" } });
});

test("a service is sent with its headers, and nothing of a program", () => {
  const draft = { ...EMPTY_DRAFT, kind: "service" as const, name: "docs", url: "https://a.example", command: "npx" };
  expect(bodyOf(draft)).toEqual({ name: "docs", url: "https://a.example" });
  expect(bodyOf({ ...draft, secrets: "Authorization: Bearer a:b" })).toMatchObject({
    headers: { Authorization: "Bearer a:b" },
  });
});

test("of a saved server only what was changed is sent, and placeholders stay as they are", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders of a server
  const [key, token] = ["${X_KEY}", "Bearer ${AUTHORIZATION}"];
  const service = draftOf("docs", { url: "https://docs.example/mcp", headers: { Authorization: token, "X-Key": key } });
  expect(service).toMatchObject({ kind: "service", secrets: `Authorization: ${token}\nX-Key: ${key}` });
  expect(changesOf(service, service)).toEqual({});
  expect(changesOf(service, { ...service, url: "https://docs.example/v2" })).toEqual({
    url: "https://docs.example/v2",
  });
  expect(changesOf(service, { ...service, secrets: `Authorization: ${token}` })).toEqual({
    headers: { Authorization: token },
  });
  const program = draftOf("files", { command: "npx", args: ["-y", "files-mcp@1"], env: { KEY: key } });
  expect(program).toMatchObject({ kind: "program", args: "-y\nfiles-mcp@1", secrets: `KEY=${key}` });
  expect(changesOf(program, { ...program, args: "", secrets: "" })).toEqual({ args: [], env: {} });
  expect(changesOf(undefined, program)).toEqual({ command: "npx", args: ["-y", "files-mcp@1"], env: { KEY: key } });
});
