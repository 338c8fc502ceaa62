export { secrets } from "./resource.ts";
export type { SecretsService } from "./routes.ts";
