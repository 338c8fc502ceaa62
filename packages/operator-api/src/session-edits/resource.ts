import { defineResource } from "../resource/index.ts";
import {
  askAgain,
  compactSession,
  forkSession,
  regenerateAnswer,
  removeSession,
  rewindSession,
  sessionEditsRoutes,
} from "./routes.ts";

/** Changes of a conversation as a whole. */
export const sessionEdits = defineResource({
  name: "sessionEdits",
  feature: "sessions",
  definitions: [removeSession, rewindSession, forkSession, regenerateAnswer, askAgain, compactSession],
  routes: sessionEditsRoutes,
});
