import { describe, expect, it } from "vitest";
import type { PendingPrompt, PromptPayload } from "../event/index.ts";
import { hitlPayload, promptText } from "./index.ts";

function prompt(payload: PromptPayload): PendingPrompt {
  return { promptId: "p1", callId: "c1", tool: "refund", reason: "inside", payload };
}

const approval = prompt({ kind: "approval", title: "Refund?", detail: "order 7", tool: "refund", args: { order: 7 } });

describe("hitlPayload (A13)", () => {
  it("writes a question, a form and an approval exactly as A13 does", () => {
    expect(hitlPayload(prompt({ kind: "question", question: "Which city?" }))).toEqual({
      kind: "question",
      promptId: "p1",
      question: "Which city?",
    });
    const steps = [
      { schema: { type: "object" }, title: undefined },
      { schema: {}, title: "Two", description: "d" },
    ];
    const form = prompt({ kind: "form", title: "Who?", description: "", steps: steps as never });
    expect(JSON.stringify(hitlPayload(form))).toBe(
      '{"kind":"form","promptId":"p1","title":"Who?","description":"","steps":[{"schema":{"type":"object"}},{"schema":{},"title":"Two","description":"d"}]}',
    );
    expect(JSON.stringify(hitlPayload(approval))).toBe(
      '{"kind":"approval","promptId":"p1","title":"Refund?","detail":"order 7","tool":"refund","args":{"order":7}}',
    );
  });

  it("shows no arguments, title or detail of an approval to who may not give it", () => {
    const shown = JSON.stringify([
      hitlPayload(approval, { mayApprove: false }),
      promptText(approval, { mayApprove: false }),
    ]);
    expect(shown).not.toMatch(/7|Refund/);
    expect(shown).toContain("operator");
  });
});

describe("promptText (A13)", () => {
  it("is the question or the title", () => {
    expect(promptText(prompt({ kind: "question", question: "Which city?" }))).toBe("Which city?");
    expect(promptText(prompt({ kind: "form", title: "Who?", description: "d", steps: [] }))).toBe("Who?");
    expect(promptText(approval)).toBe("Refund?");
  });
});
