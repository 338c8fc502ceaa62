/** What a model extracted from a conversation (K14). */
import * as v from "valibot";
import type { HarvestQuestion } from "../../model/index.ts";

const MOST_FACTS = 12;
const FACT_CHARACTERS = 300;
const SUMMARY_CHARACTERS = 2_000;

export interface HarvestedFact {
  readonly subject: string;
  readonly content: string;
  readonly kind: "fact" | "decision" | "profile" | "standing";
  /** Number of a known fact that it corrects. */
  readonly replaces?: number | undefined;
}

export interface Harvest {
  readonly summary: string;
  readonly facts: readonly HarvestedFact[];
}

const text = (most: number) => v.pipe(v.string(), v.trim(), v.nonEmpty("a text is blank"), v.maxLength(most));

function schemaOf({ messages, known }: HarvestQuestion) {
  const numbers = new Set(messages.map(({ no }) => no));
  const ids = new Set(known.map(({ id }) => id));
  const shownMessage = v.pipe(
    v.number(),
    v.check((no) => numbers.has(no), "`messages` names a message that was not shown"),
  );
  const knownFact = v.pipe(
    v.number(),
    v.check((id) => ids.has(id), "`replaces` names a fact that was not shown"),
  );
  return v.object({
    summary: text(SUMMARY_CHARACTERS),
    facts: v.pipe(
      v.array(
        v.object({
          subject: text(200),
          content: text(FACT_CHARACTERS),
          kind: v.picklist(["fact", "decision", "profile", "standing"]),
          messages: v.pipe(v.array(shownMessage), v.minLength(1, "`messages` is empty")),
          replaces: v.optional(v.nullable(knownFact)),
        }),
      ),
      v.maxLength(MOST_FACTS, `there are more than ${MOST_FACTS} facts`),
    ),
  });
}

/** What an answer says; a text: what is wrong with it. */
export function readHarvest(answer: string, question: HarvestQuestion): Harvest | string {
  const begin = answer.indexOf("{");
  const end = answer.lastIndexOf("}");
  if (begin < 0 || end < begin) return "it holds no JSON object";
  let json: unknown;
  try {
    json = JSON.parse(answer.slice(begin, end + 1));
  } catch {
    return "it is no JSON";
  }
  const read = v.safeParse(schemaOf(question), json);
  if (!read.success) return `${v.getDotPath(read.issues[0]) ?? "the object"}: ${read.issues[0].message}`;
  const { summary, facts } = read.output;
  return {
    summary,
    facts: facts.map(({ subject, content, kind, replaces }) => ({
      subject,
      content,
      kind,
      replaces: replaces ?? undefined,
    })),
  };
}
