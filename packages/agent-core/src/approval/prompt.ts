/** How a prompt is shown to a person (A13). The journaled prompt itself is `PendingPrompt` of the module `event`. */
import type { FormStep } from "@agent-service/plugin-sdk";
import type { PendingPrompt } from "../event/index.ts";

/** The payload of the DataPart that goes with a prompt, exactly as A13 writes it. */
export type HitlPayload =
  | { readonly kind: "question"; readonly promptId: string; readonly question: string }
  | {
      readonly kind: "form";
      readonly promptId: string;
      readonly title: string;
      readonly description: string;
      readonly steps: readonly FormStep[];
    }
  | {
      readonly kind: "approval";
      readonly promptId: string;
      readonly title: string;
      readonly detail: string;
      readonly tool: string;
      readonly args: unknown;
    };

/** Who looks at a prompt. */
export interface PromptViewer {
  /** False for a federation caller, who sees that an approval waits but not of what (A13). Default true. */
  readonly mayApprove?: boolean;
}

/** Replaces the title of an approval that the viewer may not give. */
const WAITING = "Waiting for the operator's approval.";

/** The prompt as one line of text: the question, or the title. */
export function promptText({ payload }: PendingPrompt, { mayApprove = true }: PromptViewer = {}): string {
  if (payload.kind === "question") return payload.question;
  return payload.kind === "approval" && !mayApprove ? WAITING : payload.title;
}

/** A prompt as the data part that clients read (A13). */
export function hitlPayload(
  { promptId, payload }: PendingPrompt,
  { mayApprove = true }: PromptViewer = {},
): HitlPayload {
  switch (payload.kind) {
    case "question":
      return { kind: "question", promptId, question: payload.question };
    case "form": {
      const { title, description } = payload;
      const steps = payload.steps.map((step) => ({
        schema: step.schema,
        ...(step.title === undefined ? {} : { title: step.title }),
        ...(step.description === undefined ? {} : { description: step.description }),
      }));
      return { kind: "form", promptId, title, description, steps };
    }
    case "approval": {
      const { title, detail, tool, args } = payload;
      if (!mayApprove) return { kind: "approval", promptId, title: WAITING, detail: "", tool, args: {} };
      return { kind: "approval", promptId, title, detail, tool, args };
    }
  }
}
