export { asSentence } from "./as-sentence.ts";
export { operatorRows } from "./operator-rows.ts";
export { refusalOf } from "./refusal-of.ts";
export { type OperatorRouteParts, operatorApi } from "./routes.ts";
