import * as v from "valibot";

/** Text with something in it: blanks around it are dropped, in the OpenAPI document too. `message`: of the refusal. */
export function notBlank(most: number, message: string) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(message),
    v.maxLength(most),
    v.metadata({ pattern: "\\S", minLength: 1 }),
  );
}
