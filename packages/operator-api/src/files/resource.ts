import { defineResource } from "../resource/index.ts";
import { browseFolder, filesRoutes, listRoots } from "./routes.ts";

/** Folders of the machine by name, and the folders of projects. */
export const files = defineResource({
  name: "files",
  feature: "files",
  definitions: [browseFolder, listRoots],
  routes: filesRoutes,
});
