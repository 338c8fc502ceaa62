export { changes } from "./resource.ts";
export type { ChangesOf, ChangesService } from "./routes.ts";
export type { ChangeRow, ChangesDiffRow, UndoneFileRow } from "./schema.ts";
export { undoneFileSchema } from "./schema.ts";
