import { defineResource } from "../resource/index.ts";
import { codePaneRoutes, readFilePage, readProjectDiff } from "./routes.ts";

/** Files of projects, and what of them differs from the last commit, for reading. */
export const codePane = defineResource({
  name: "codePane",
  feature: "code_pane",
  definitions: [readFilePage, readProjectDiff],
  routes: codePaneRoutes,
});
