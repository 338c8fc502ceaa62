import * as v from "valibot";

/** Bounds of a list. */
export interface PageLimits {
  readonly defaultLimit?: number;
  readonly maxLimit?: number;
}

/** Longest cursor, in characters. */
const MAX_CURSOR = 1024;

/**
 * The query of every list (O5): `limit`, clamped into 1 to `maxLimit` (200), default 50, and `cursor`, the
 * `next_cursor` of the page before. `cursor` is the schema of what a cursor holds: where the page before ended.
 */
export function pageQuery<TPosition>(
  cursor: v.GenericSchema<unknown, TPosition>,
  { defaultLimit = 50, maxLimit = 200 }: PageLimits = {},
) {
  return v.object({
    limit: integerQuery({
      minimum: 1,
      maximum: maxLimit,
      fallback: defaultLimit,
      description: `Entries on the page, clamped into 1 to ${maxLimit}.`,
    }),
    cursor: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(MAX_CURSOR),
        v.description("`next_cursor` of the page before. Absent: the newest page."),
        v.metadata({ format: "opaque" }),
        v.rawTransform<string, TPosition>(({ dataset, addIssue, NEVER }) => {
          const read = v.safeParse(cursor, decodeCursor(dataset.value));
          if (read.success) return read.output;
          addIssue({ message: "This cursor is none of this list's." });
          return NEVER;
        }),
      ),
    ),
  });
}

/** Encodes where a page ended; null at the end of the list. Opaque to clients, and no secret. */
export function cursorOf(position: unknown): string | null {
  if (position === undefined || position === null) return null;
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function decodeCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** The fields of every answer with a page: spread them into the schema of the list. */
export const pageFields = {
  next_cursor: v.pipe(v.nullable(v.string()), v.description("The `cursor` of the next page; null at the end.")),
};

/** What a whole number in a query may be. */
export interface IntegerQuery {
  readonly minimum: number;
  readonly maximum: number;
  readonly fallback: number;
  readonly description: string;
}

/** A whole number in a query. Outside of its bounds it is clamped; what is no whole number is refused. */
export function integerQuery(query: IntegerQuery) {
  const { minimum, maximum, fallback, description } = query;
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^-?\d{1,15}$/, "Expected a whole number."),
      v.description(description),
      v.metadata({ type: "integer", pattern: undefined }),
      v.transform((text) => Math.min(Math.max(Number(text), minimum), maximum)),
    ),
    String(fallback),
  );
}

/** A switch in a query: `true`, `1` or nothing after the name is on; `false` and `0` are off, as is its absence. */
export function flagQuery(description: string) {
  return v.optional(
    v.pipe(
      v.picklist(["true", "1", "", "false", "0"], "Expected true or false."),
      v.description(description),
      v.metadata({ type: "boolean", enum: undefined }),
      v.transform((text) => text !== "false" && text !== "0"),
    ),
    "false",
  );
}
