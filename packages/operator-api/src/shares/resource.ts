import { defineResource } from "../resource/index.ts";
import { addShare, listShares, previewShare, removeShare, sharesRoutes } from "./routes.ts";

/** Read-only pages of conversations and runs. */
export const shares = defineResource({
  name: "shares",
  feature: "shares",
  definitions: [listShares, addShare, previewShare, removeShare],
  topics: [{ topic: "shares.changed", when: "A share was made or revoked", data: "`id`" }],
  routes: sharesRoutes,
});
