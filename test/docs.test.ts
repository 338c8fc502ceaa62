import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../apps/server/src/client-commands/index.ts";
import { ENVIRONMENT_VARIABLES, RESERVED_VARIABLES, SECTIONS } from "../apps/server/src/settings/index.ts";
import { readSourceTree } from "./architecture/source-tree.ts";
import { formatViolation } from "./architecture/violation.ts";
import { citationCheck } from "./docs/citation-check.ts";
import { commandCheck } from "./docs/command-check.ts";
import { CONFIGURATION_PATH, configurationPage } from "./docs/configuration-page.ts";
import { documentsOf, repositoryAt } from "./docs/doc-sources.ts";
import { ENVIRONMENT_PATH, withEnvironmentTables } from "./docs/environment-tables.ts";
import { exampleCheck } from "./docs/example-check.ts";
import { guideCheck } from "./docs/guide-check.ts";
import { packageCheck } from "./docs/package-check.ts";
import { pathCheck } from "./docs/path-check.ts";
import { blocksOf } from "./guide/guide-page.ts";
import { SAYS, SCRIPT } from "./guide/hands-model.ts";
import { GUIDE_SETTINGS } from "./guide/place.ts";

/** Rule 10: the documents agree with the repository. How each check fails is shown in `docs/*.test.ts`. */
const root = new URL("..", import.meta.url).pathname;
const repository = repositoryAt(root);
const tree = readSourceTree(root);
const topLevel = readdirSync(root).filter((name) => name.endsWith(".md"));
const documents = documentsOf(repository, [...topLevel, ...tree.keys()]);

test("every path and link in the documents leads somewhere", () => {
  expect(pathCheck(documents, repository).map(formatViolation)).toEqual([]);
});

test("every page of the documentation is found from its first", () => {
  const [first] = documents.filter((document) => document.path === "docs/README.md");
  const linked = new Set(first?.links.map(({ target }) => `docs/${target}`));
  const pages = documents
    .map((document) => document.path)
    .filter((file) => file.startsWith("docs/") && file !== "docs/README.md");
  expect(pages.filter((file) => !linked.has(file))).toEqual([]);
});

test("the page of the settings equals the output of `pnpm docs:configuration`", () => {
  expect(repository.read(CONFIGURATION_PATH)).toBe(configurationPage(SECTIONS));
});

test("the tables of environment variables equal what `pnpm docs:configuration` writes", () => {
  const page = repository.read(ENVIRONMENT_PATH) ?? "";
  expect(page).toBe(withEnvironmentTables(page, ENVIRONMENT_VARIABLES, RESERVED_VARIABLES));
});

test("documents cite only ids of the specification, and nothing cites a text that is not in the repository", () => {
  const others = topLevel.map((file) => [file, repository.read(file) ?? ""] as const);
  expect(citationCheck([...tree, ...others]).map(formatViolation)).toEqual([]);
});

test("every pnpm command in the documents exists", () => {
  expect(commandCheck(documents, repository).map(formatViolation)).toEqual([]);
});

test("every TypeScript block in the documents is part of a compiled file", () => {
  expect(exampleCheck(documents, repository).map(formatViolation)).toEqual([]);
});

const guides = documents.filter(({ path: file }) => file.startsWith("docs/guides/"));

test("the commands, options and settings of the guides exist", () => {
  const commands = new Map(
    COMMANDS.map(({ name, options = {} }) => [name, new Set([...Object.keys(options), "json", "url"])]),
  );
  const settings = new Set(SECTIONS.flatMap(({ name, fields }) => Object.keys(fields).map((key) => `${name}.${key}`)));
  expect(guideCheck(guides, { commands, settings }).map(formatViolation)).toEqual([]);
});

test("the guide of the hands shows the settings, the messages and the script of its walk, its output and its pictures", () => {
  const page = repository.read("docs/guides/hands.md") ?? "";
  const blocks = blocksOf(page);
  expect([blocks.get("settings"), blocks.get("script")]).toEqual([GUIDE_SETTINGS.trimEnd(), SCRIPT]);
  expect(Object.values(SAYS).filter((message) => !page.includes(`*${message}*`))).toEqual([]);
  expect([...blocks].filter(([, text]) => text.trim() === "").map(([name]) => name)).toEqual([]);
  const pictures = [...page.matchAll(/(?:src|srcset)="\.\.\/(pictures\/[^"]+)"/g)].map(
    ([, picture = ""]) => `docs/${picture}`,
  );
  expect(pictures.length).toBeGreaterThan(5);
  expect(pictures.filter((picture) => !repository.has(picture))).toEqual([]);
});

test("every package introduces itself, carries its licence and has its changes announced", () => {
  const folders = [...tree.keys()]
    .filter((file) => /^(packages|apps)\/[^/]+\/package\.json$/.test(file))
    .map((file) => path.posix.dirname(file));
  const changesets = readdirSync(path.join(root, ".changeset"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(path.join(root, ".changeset", name), "utf8"));
  expect(packageCheck(folders, documents, repository, changesets).map(formatViolation)).toEqual([]);
});

test("the test command of the README is the one that CI runs, and the start command differs in nothing but its end", () => {
  const command = /npx -y [^\n]*"pnpm test"/.exec(repository.read(".ci/run") ?? "")?.[0] ?? "none";
  expect(repository.read("README.md")).toContain(command);
  expect(repository.read("README.md")).toContain(command.replace("pnpm test", "pnpm start"));
});
