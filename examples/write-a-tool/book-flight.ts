import { type AnyTool, defineTool, park } from "@agent-service/plugin-sdk";
import * as v from "valibot";

/** A tool that asks a person twice before it does anything. */
export function bookFlightTool(): AnyTool {
  // #region parks
  const passenger = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  return defineTool({
    name: "book_flight",
    description: "Book a flight; asks who flies.",
    input: v.object({ to: v.string() }),
    run: ({ to }) => park.form({ title: `Who flies to ${to}?`, steps: [{ schema: passenger }] }),
    resume({ to }, answer, { earlierAnswers: [form] }) {
      if (answer.kind === "form") {
        return answer.declined === true ? "Nobody flies." : park.question("Window or aisle?");
      }
      return {
        to,
        passenger: form?.kind === "form" ? form.values : null,
        seat: answer.kind === "question" && answer.text,
      };
    },
  });
  // #endregion parks
}
