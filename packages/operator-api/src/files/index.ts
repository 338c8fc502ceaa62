export { files } from "./resource.ts";
export type { FilesService } from "./routes.ts";
