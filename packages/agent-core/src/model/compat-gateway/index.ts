export type { AnswerBounds } from "./answer-reader.ts";
export type { CompatGateway, CompatGatewayOptions } from "./compat-gateway.ts";
export { compatGateway } from "./compat-gateway.ts";
