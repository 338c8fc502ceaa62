/** Any value of JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object; a member that is undefined is left out when it is written. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };
