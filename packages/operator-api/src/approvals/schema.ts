import * as v from "valibot";

const hitlSchema = v.variant("kind", [
  v.object({ kind: v.literal("question"), promptId: v.string(), question: v.string() }),
  v.object({
    kind: v.literal("form"),
    promptId: v.string(),
    title: v.string(),
    description: v.string(),
    steps: v.array(
      v.object({
        schema: v.record(v.string(), v.unknown()),
        title: v.optional(v.string()),
        description: v.optional(v.string()),
      }),
    ),
  }),
  v.object({
    kind: v.literal("approval"),
    promptId: v.string(),
    title: v.string(),
    detail: v.string(),
    tool: v.string(),
    args: v.pipe(v.unknown(), v.description("The exact arguments that would run, without secrets.")),
  }),
]);

/** What waits for a person (O3). */
export const approvalSchema = v.object({
  id: v.string(),
  kind: v.picklist(["question", "form", "approval"]),
  task_id: v.string(),
  session_id: v.string(),
  class: v.pipe(v.string(), v.description("Whose task it is: operator, or federation for a peer's.")),
  origin: v.pipe(v.string(), v.description("What started the task.")),
  parents: v.pipe(
    v.array(v.object({ task_id: v.string(), session_id: v.string(), origin: v.string() })),
    v.description("The tasks that wait for this one, nearest first."),
  ),
  payload: v.pipe(hitlSchema, v.description("What is asked, as A2A callers are shown it.")),
  may_edit: v.pipe(v.boolean(), v.description("The call can be approved with other arguments.")),
  may_remember: v.pipe(v.boolean(), v.description("The same call can be approved for the future.")),
  asked_by_settings: v.pipe(
    v.boolean(),
    v.description("The settings ask for approval of this tool; false: the tool asks itself."),
  ),
  input: v.pipe(v.string(), v.description("The first 300 characters of what the person, or the peer, asked for.")),
  position: v.pipe(v.number(), v.description("0 for the first of those that wait in its task, in the order of calls.")),
  created_at: v.string(),
});

export const decisionSchema = v.object({
  decision: v.pipe(
    v.picklist(["approve", "decline", "answer"], "Expected approve, decline or answer."),
    v.description("approve or decline an approval; answer a question; answer or decline a form."),
  ),
  args: v.optional(
    v.pipe(
      // A record would take a list for one.
      v.custom<{ readonly [key: string]: unknown }>(
        (value) => typeof value === "object" && value !== null && !Array.isArray(value),
        "Expected an object.",
      ),
      v.metadata({ type: "object" }),
      v.description("The call is made with these arguments instead. They are checked as the model's are."),
    ),
  ),
  answer: v.optional(v.pipe(v.unknown(), v.description("Text for a question; for a form the values by field."))),
  note: v.optional(
    v.pipe(v.string(), v.maxLength(2_000), v.description("For the model to read, beside the decision.")),
  ),
  remember: v.optional(
    v.pipe(
      v.boolean(),
      v.description("From now on this tool needs no approval with exactly these arguments, in tasks of this class."),
    ),
    false,
  ),
});

/** A remembered approval. */
export const grantSchema = v.object({
  id: v.string(),
  tool: v.string(),
  args: v.pipe(v.unknown(), v.description("Exactly these, without secrets.")),
  class: v.pipe(v.string(), v.description("Whose tasks it counts for.")),
  created_at: v.string(),
});
