export {
  ImportError,
  type ImportedInput,
  type ImportedServer,
  type McpServerDeclaration,
  type ReadImport,
  type SkippedServer,
} from "./imported-server.ts";
export { MAX_IMPORT_BYTES, readImport } from "./read-import.ts";
