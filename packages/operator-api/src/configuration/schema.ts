import * as v from "valibot";

/** A part of the configuration as the file has it: sections by name. */
export const configTreeSchema = v.pipe(
  v.record(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), v.unknown()),
  v.description("Sections by name, nested as in the file."),
);

/** The persona's text. */
export const soulSchema = v.pipe(
  v.string(),
  v.maxLength(200_000),
  v.description("The persona: the text of SOUL.md beside the live configuration."),
);

/** Of what a save is based on; another one in the meantime makes it a 409 (O6). */
export const revisionSchema = v.pipe(
  v.string(),
  v.maxLength(200),
  v.description("As returned by the last read. Left out: save over whatever is there now."),
);

/** The outcome of a save. */
export const savedFields = {
  ok: v.literal(true),
  messages: v.pipe(v.array(v.string()), v.description("What was done, for people; never a value.")),
  restart_required: v.pipe(v.array(v.string()), v.description("Dotted keys that count from the next start on.")),
  revision: v.string(),
};

/** Where a value comes from. */
export const sourceFields = {
  layer: v.picklist(["default", "host", "agent", "secrets", "env", "flag"]),
  source: v.pipe(v.string(), v.description("The file and line, the variable or the flag; blank for a default.")),
};
