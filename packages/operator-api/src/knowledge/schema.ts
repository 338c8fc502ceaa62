import * as v from "valibot";

const KINDS = ["profile", "standing", "fact", "decision", "note", "episode", "reference"] as const;
const POLICIES = ["always", "retrieved", "on_demand"] as const;
export const REVIEWS = ["accepted", "pending", "rejected"] as const;

export const kind = v.picklist(KINDS);
export const policy = v.pipe(
  v.picklist(POLICIES),
  v.description(
    "`always`: every conversation is shown it; `retrieved`: those whose message it fits; `on_demand`: who asks for it.",
  ),
);
/** A heading or a subject. */
export const shortText = v.pipe(v.string(), v.trim(), v.maxLength(200));
const text = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most));
export const contentText = v.pipe(
  v.string(),
  v.maxLength(8_000),
  v.regex(/\S/, "there is nothing to remember"),
  v.trim(),
);
export const domain = v.pipe(v.string(), v.maxLength(64), v.regex(/\S/, "a domain is a word"), v.trim());

/** A memory (K5). */
export const chunkSchema = v.object({
  id: v.pipe(v.number(), v.description("Never given twice.")),
  revision: v.number(),
  heading: v.string(),
  content: v.string(),
  preview: v.pipe(v.string(), v.description("The first 240 characters.")),
  domain: v.string(),
  memory_kind: kind,
  subject: v.string(),
  delivery_policy: policy,
  review_state: v.picklist(REVIEWS),
  review_reason: v.pipe(v.nullable(v.string()), v.description("Why it waits for a person; null: it does not.")),
  contradicts: v.pipe(
    v.nullable(v.number()),
    v.description("The operator's memory that it contradicts; null: it waits for another reason, or for none."),
  ),
  trust: v.pipe(v.picklist(["operator", "agent", "outside"]), v.description("Whose words it holds.")),
  source: v.pipe(v.nullable(v.string()), v.description("The title of the document it is a part of.")),
  source_id: v.nullable(v.number()),
  source_type: v.nullable(v.string()),
  finding_type: v.pipe(v.null(), v.description("For clients that read it; there are no such types.")),
  session_id: v.pipe(v.nullable(v.string()), v.description("The conversation it was written in.")),
  task_id: v.pipe(v.nullable(v.string()), v.description("The turn it was written in.")),
  created_at: v.string(),
  updated_at: v.pipe(v.string(), v.description("When it was last said or changed.")),
  expires_at: v.nullable(v.string()),
  invalidated_at: v.pipe(v.nullable(v.string()), v.description("Since when another one holds in its place.")),
  score: v.pipe(
    v.nullable(v.number()),
    v.description("By which what was found is ordered; null: nothing was searched."),
  ),
  tier: v.pipe(v.picklist(["private", "commons"]), v.description("Whose it is: this agent's, or of all of this home.")),
  commons: v.pipe(
    v.nullable(v.picklist(["nothing", "same", "other"])),
    v.description(
      "What the commons hold of what it is about: nothing, its text, or another one; null: it cannot be shared, or nothing is.",
    ),
  ),
  injecting: v.pipe(v.boolean(), v.description("Turns are shown it, always or where it fits.")),
  superseded_by: v.pipe(v.nullable(v.number()), v.description("The memory that replaced it.")),
});

const draft = {
  content: contentText,
  domain: v.optional(domain),
  heading: v.optional(text(200)),
  subject: v.optional(
    v.pipe(text(200), v.description("A later memory of the same subject, domain and kind replaces it.")),
  ),
  memory_kind: v.optional(kind),
  delivery_policy: v.optional(policy),
};

export const newChunkBody = v.object({
  ...draft,
  expires_in_days: v.optional(
    v.pipe(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(3_650))),
      v.description("From now on; without it, or null, it does not expire."),
    ),
  ),
});

export const chunkChangeBody = v.object({ ...draft, content: v.optional(contentText) });

export const reviewBody = v.object({ decision: v.picklist(["accept", "reject"]) });
