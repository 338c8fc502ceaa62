export { asSentence } from "./as-sentence.ts";
export { refusalOf } from "./refusal-of.ts";
export { type OperatorRouteParts, operatorRoutes } from "./routes.ts";
