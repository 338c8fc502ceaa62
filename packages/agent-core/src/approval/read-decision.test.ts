import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDecision } from "./index.ts";

describe("readDecision (A13)", () => {
  it.each(["approve", "approved", "yes", "y", "ok", "true", "YES", " Yes!\n", '"ok".', "**Approve**", "Ok, "])(
    "approves on %j",
    (text) => {
      expect(readDecision(text)).toEqual({ approved: true });
    },
  );

  it.each([
    "no",
    "decline",
    "yes please",
    "yes, but only half",
    "ok?",
    "not approved",
    "true false",
    "okay",
    "1",
    "yess",
  ])("declines on %j and keeps it as a note", (text) => {
    expect(readDecision(text)).toEqual({ approved: false, note: text });
  });

  it("declines on silence, without a note", () => {
    expect(readDecision("")).toEqual({ approved: false });
    expect(readDecision(" . ")).toEqual({ approved: false, note: "." });
    expect(readDecision(undefined)).toEqual({ approved: false });
  });

  it.each([true, { answer: true }, { approved: true }, { decision: "approve" }, { answer: "Yes", approved: true }])(
    "approves on the data %j",
    (data) => {
      expect(readDecision(data)).toEqual({ approved: true });
    },
  );

  it.each([
    false,
    null,
    1,
    [],
    ["yes"],
    {},
    { answer: 1 },
    { answer: { approved: true } },
    { approved: false, answer: "yes" },
    { decision: "decline" },
    { Approved: true },
  ])("declines on the data %j", (data) => {
    expect(readDecision(data)).toEqual({ approved: false });
  });

  it("keeps the note beside a decision and bounds it", () => {
    expect(readDecision({ approved: true, note: " once only " })).toEqual({ approved: true, note: "once only" });
    expect(readDecision("n".repeat(10_000)).note).toHaveLength(2000);
  });

  it("never throws, and approves nothing without an approving term", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string()), (answer) => {
        const { approved } = readDecision(answer);
        if (approved) expect(JSON.stringify(answer)).toMatch(/approved?|yes|y|ok|true/i);
      }),
    );
  });
});
