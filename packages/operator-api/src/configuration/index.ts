export { configuration, setup } from "./resource.ts";
export type {
  ConfigurationReader,
  ConfigurationService,
  ConfigurationWriter,
  ExplainedValue,
  SetupService,
} from "./routes.ts";
export { SAVES_PROTECTION } from "./routes.ts";
export { revisionSchema, savedFields, sourceFields } from "./schema.ts";
