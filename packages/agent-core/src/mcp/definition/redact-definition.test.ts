/** What is kept of what a server shows, where it repeats secrets that it was given. */
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../redaction/index.ts";
import { definitionDigest, readShown, withoutInvisible } from "./index.ts";
import { MAX_DESCRIPTION_CHARS } from "./read-definitions.ts";

const SECRET = "known-4711-value";
const SPLIT = "known\u200B-4711-v\u2060alue";

/** What a server of these secrets is read as. */
const shown = (listed: Parameters<typeof readShown>[0], secret = SECRET) =>
  readShown(listed, createRedactor({ secrets: () => [secret] }).known);
/** Any six characters of the secret in a row, as people and models read them. */
const parts = Array.from({ length: SECRET.length - 5 }, (_, at) => SECRET.slice(at, at + 6));
const partsIn = (value: unknown) => parts.filter((part) => withoutInvisible(JSON.stringify(value)).includes(part));

describe("a secret at the bound of a text", () => {
  const before = (most: number) => "x ".repeat(most).slice(0, most - 8);
  const listed = (secret: string) => ({
    tools: [
      { name: "described", description: `${before(MAX_DESCRIPTION_CHARS)}${secret} and more` },
      { name: "titled", title: `${before(300)}${secret}` },
      { name: `${before(64)}${secret}`, inputSchema: "none" },
    ],
    prompts: [{ name: "asked", arguments: [{ name: "one", description: `${before(300)}${secret}` }] }],
  });

  it("is not kept in part", () => {
    const { definitions, warnings } = shown(listed(SECRET));
    expect(definitions.map(({ name }) => name)).toEqual(["described", "titled", "asked"]);
    expect(partsIn([definitions, warnings])).toEqual([]);
  });

  it("does not change the definition once it is another, longer one", () => {
    const digests = (secret: string) => shown(listed(secret), secret).definitions.map(definitionDigest);
    expect(digests("another-and-much-longer-secret")).toEqual(digests(SECRET));
  });
});

describe("a secret with invisible characters in it", () => {
  it("is kept no more than one that is plain to see", () => {
    const schema = (properties: object) => ({ type: "object", properties });
    const { definitions, warnings } = shown({
      tools: [
        { name: "pay", title: SPLIT, description: `Pays with ${SPLIT}.`, inputSchema: schema({ a: { const: SPLIT } }) },
        { name: "key", inputSchema: schema({ [SPLIT]: {} }) },
        { name: `pay_${SPLIT}` },
      ],
    });
    expect(definitions).toMatchObject([{ name: "pay", title: "***", description: "Pays with ***." }]);
    expect(partsIn([definitions, warnings])).toEqual([]);
  });

  it("leaves invisible characters of other texts to be looked at", () => {
    const description = "Looks\u200B up.";
    expect(shown({ tools: [{ name: "lookup", description }] }).definitions).toMatchObject([{ description }]);
  });
});

describe("a secret that is a word", () => {
  const properties = { password: { type: "string", description: "The password." } };
  const tool = { name: "postgres_query", description: "Asks postgres.", inputSchema: { type: "object", properties } };
  const read = (...secrets: string[]) => readShown({ tools: [tool] }, createRedactor({ secrets: () => secrets }).known);

  it("hides no tool that has it in a name, and is masked in its texts", () => {
    const masked = { password: { type: "string", description: "The ***." } };
    expect(read("postgres", "password")).toEqual({
      definitions: [
        expect.objectContaining({
          name: "postgres_query",
          description: "Asks ***.",
          inputSchema: { type: "object", properties: masked },
        }),
      ],
      warnings: [],
    });
  });

  it("hides one where it is no word", () => {
    expect(read("postgres_query").definitions).toEqual([]);
  });
});
