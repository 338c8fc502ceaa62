import { OperatorApiError } from "@agent-service/operator-api/client";
import { expect, test } from "vitest";
import type { FieldSpec } from "../../schema-form/index.ts";
import { searchSettings } from "./search-settings.ts";
import {
  afterSave,
  EMPTY_DRAFT,
  insisted,
  overtaken,
  readDraft,
  refusalOf,
  stillOpen,
  withEntered,
} from "./section-draft.ts";

const field = (key: string, of: Partial<FieldSpec> = {}): FieldSpec => ({
  ...{ key, label: key, type: "string", section: "model", description: "", restart: false, default: "", value: "" },
  ...{ scope: "agent", source: "default", read_only: false },
  ...of,
});
const temperature = field("model.temperature", { type: "number", value: 0.2, default: 0.2, maximum: 2 });
const topP = field("model.top_p", { type: "number", value: 0.5, default: null });

test("only a value that differs from the saved one is a change, and only a valid one is saved", () => {
  let draft = withEntered(EMPTY_DRAFT, temperature, "0.4");
  expect(readDraft([temperature], draft).updates).toEqual({ "model.temperature": 0.4 });
  draft = withEntered(draft, temperature, "0.2");
  expect(draft.size).toBe(0);
  draft = withEntered(withEntered(draft, temperature, "9"), topP, "");
  const read = readDraft([temperature, topP], draft);
  expect(read.updates).toEqual({ "model.top_p": null });
  expect([...read.problems]).toEqual([["model.temperature", "At most 2."]]);
});

test("a value that was changed elsewhere since it was entered is for the person to decide, and no other", () => {
  const draft = withEntered(withEntered(EMPTY_DRAFT, temperature, "0.4"), topP, "0.9");
  expect([...overtaken([temperature, topP], draft)]).toEqual([]);
  const theirs = { ...temperature, value: 0.7 };
  expect([...overtaken([theirs, topP], draft)]).toEqual(["model.temperature"]);
  // Typing does not settle it; the person's choice does, until the value changes again.
  expect([...overtaken([theirs, topP], withEntered(draft, theirs, "0.5"))]).toEqual(["model.temperature"]);
  const mine = insisted(draft, theirs);
  expect([...overtaken([theirs, topP], mine)]).toEqual([]);
  expect(readDraft([theirs], mine).updates).toEqual({ "model.temperature": 0.4 });
  expect([...overtaken([{ ...theirs, value: 0.8 }], mine)]).toEqual(["model.temperature"]);
  const same = { ...temperature, value: 0.4 };
  expect([...overtaken([same, topP], draft)]).toEqual([]);
  expect([...stillOpen([same, topP], draft).keys()]).toEqual(["model.top_p"]);
});

test("of a secret only whether there is one is known, so that is what may have changed", () => {
  const key = field("auth.token", { type: "secret", is_set: false });
  const draft = withEntered(EMPTY_DRAFT, key, "mine");
  expect([...overtaken([key], draft)]).toEqual([]);
  expect([...overtaken([{ ...key, is_set: true }], draft)]).toEqual(["auth.token"]);
});

test("what is entered during a save stays a change, over what was saved", () => {
  const key = field("auth.token", { type: "secret", is_set: false });
  const saved = withEntered(withEntered(EMPTY_DRAFT, temperature, "0.4"), key, "mine");
  const meanwhile = withEntered(withEntered(withEntered(saved, temperature, "0.7"), key, "newer"), topP, "0.9");
  const now = [{ ...temperature, value: 0.4 }, topP, { ...key, is_set: true }];
  const left = afterSave(now, meanwhile, saved);
  expect(readDraft(now, left).updates).toEqual({
    "model.temperature": 0.7,
    "model.top_p": 0.9,
    "auth.token": "newer",
  });
  expect([...overtaken(now, left)]).toEqual([]);
  expect(afterSave(now, saved, saved).size).toBe(0);
});

test("a refusal is shown at the field it names, in any of the service's forms", () => {
  const keys = ["model.temperature", "model.name"];
  const at = (status: number, detail: unknown) => {
    const { byKey, rest } = refusalOf(new OperatorApiError(status, { detail }, undefined), keys);
    return [[...byKey], rest];
  };
  expect(at(400, "model.temperature: expected <=2, got 99")).toEqual([
    [["model.temperature", "Expected <=2, got 99."]],
    false,
  ]);
  expect(at(400, "model.name is set by SVC_MODEL, which a saved value would not change.")).toEqual([
    [["model.name", "Is set by SVC_MODEL, which a saved value would not change."]],
    false,
  ]);
  expect(at(422, [{ loc: ["body", "updates", "model.name"], msg: "too long", type: "x" }])).toEqual([
    [["model.name", "Too long."]],
    false,
  ]);
  expect(at(409, "the configuration was changed meanwhile: read it again")).toEqual([[], true]);
  expect(refusalOf(new TypeError("fetch failed"), keys).rest).toBe(true);
  expect(refusalOf(null, keys).rest).toBe(false);
});

test("a search matches any text of a setting", () => {
  const groups = [
    {
      ...{ section: "model", title: "Default model", description: "", category: "Model" },
      fields: [field("model.temperature", { description: "How free." }), topP],
    },
    {
      ...{ section: "web_search", title: "Web search", description: "", category: "Capabilities" },
      fields: [field("web_search.provider", { label: "Provider" })],
    },
  ];
  const headingOf = (category: string) => (category === "Model" ? "Models" : "Tools and approvals");
  const found = (search: string) =>
    searchSettings(groups, search, headingOf).flatMap(({ fields }) => fields.map(({ key }) => key));
  expect(found("free")).toEqual(["model.temperature"]);
  expect(found("WEB prov")).toEqual(["web_search.provider"]);
  expect(found("  ")).toHaveLength(3);
  expect(found("nothing of this")).toEqual([]);
  expect(found("approvals")).toEqual(["web_search.provider"]);
});
