export {
  type ConfigurationService,
  completeSetup,
  configurationRoutes,
  type ExplainedValue,
  explainConfig,
  readConfig,
  readSetupStatus,
  resetSetup,
  saveConfig,
} from "./routes.ts";
export { revisionSchema, savedFields, sourceFields } from "./schema.ts";
