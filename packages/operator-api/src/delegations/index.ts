export { delegations } from "./resource.ts";
export type { DelegationsService } from "./routes.ts";
