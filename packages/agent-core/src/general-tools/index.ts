export { askHuman } from "./ask-human.ts";
export { calculator } from "./calculator.ts";
export type { CalculatorErrorCode } from "./calculator-error.ts";
export { CalculatorError } from "./calculator-error.ts";
export { currentTime, UnknownTimeZoneError } from "./current-time.ts";
export { generalTools } from "./general-tools.ts";
export { BrokenFormError, MAX_FORM_STEPS, requestUserInput } from "./request-user-input.ts";
export { COMPONENT_LIMITS, showComponent } from "./show-component.ts";
