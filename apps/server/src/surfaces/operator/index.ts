export { refusalOf } from "./refusal-of.ts";
export { type OperatorRouteParts, operatorRoutes } from "./routes.ts";
