export { providers } from "./resource.ts";
export type { Provider, ProvidersReader, ProvidersService, ProvidersWriter } from "./routes.ts";
