import * as v from "valibot";

/** Text with something in it: blanks around it are dropped, and the document says so too. `message`: what else is told. */
export function notBlank(most: number, message: string) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(message),
    v.maxLength(most),
    v.metadata({ pattern: "\\S", minLength: 1 }),
  );
}
