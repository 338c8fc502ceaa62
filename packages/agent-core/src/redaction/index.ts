export { mapTexts } from "./map-texts.ts";
export type { Redactor, RedactorOptions } from "./redactor.ts";
export { createRedactor, REDACTED } from "./redactor.ts";
export { isSecretName } from "./secret-name.ts";
