export {
  type ConfigurationReader,
  type ConfigurationWriter,
  completeSetup,
  configurationReadRoutes,
  configurationWriteRoutes,
  type ExplainedValue,
  explainConfig,
  readConfig,
  readPreset,
  readSetupStatus,
  resetSetup,
  saveConfig,
} from "./routes.ts";
export { revisionSchema, savedFields, sourceFields } from "./schema.ts";
