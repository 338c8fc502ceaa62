import { defineResource } from "../resource/index.ts";
import { listSoulVersions, restoreSoul, soulRoutes } from "./routes.ts";

/** The versions of the persona. */
export const soul = defineResource({
  name: "soul",
  definitions: [listSoulVersions, restoreSoul],
  topics: [
    { topic: "persona.self_edited", when: "The agent edited its persona", data: "`section`, `mode`, `version`" },
  ],
  routes: soulRoutes,
});
