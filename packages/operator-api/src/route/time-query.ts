import * as v from "valibot";

/** In JSON Schema: a date and time, or seconds. */
const TIME = { anyOf: [{ format: "date-time" }, { format: "date" }, { pattern: "^\\d{1,11}(\\.\\d{1,3})?$" }] };

/** A time in a query, as epoch milliseconds for its handler: ISO-8601, or seconds since 1970. */
export function timeQuery(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.maxLength(40),
      v.description(`${description} ISO-8601, or seconds since 1970.`),
      v.metadata(TIME),
      v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
        const text = dataset.value;
        const at = /^\d{1,11}(\.\d{1,3})?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
        if (Number.isFinite(at) && at >= 0 && at <= 8.64e15) return Math.floor(at);
        addIssue({ message: "Expected an ISO-8601 time or seconds since 1970." });
        return NEVER;
      }),
    ),
  );
}
