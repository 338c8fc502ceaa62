import { defineResource } from "../resource/index.ts";
import {
  checkWatch,
  clearWatch,
  createWatch,
  editWatch,
  listVerifiers,
  listWatches,
  listWatchFires,
  readWatch,
  watchRoutes,
} from "./routes.ts";

const data = "`id`, `condition`, `status`, `reason`";

/** Conditions that are checked again and again. */
export const watches = defineResource({
  name: "watches",
  feature: "watches",
  definitions: [
    ...[listWatches, createWatch, readWatch, editWatch, clearWatch, listWatchFires, checkWatch, listVerifiers],
  ] as const,
  topics: [
    {
      topic: "watch.changed",
      when: "A watch was created, changed or removed, or a check of it found something new",
      data: "`id`, `action` (created, changed, removed)",
    },
    { topic: "watch.met", when: "A watched condition became true", data },
    { topic: "watch.value_changed", when: "What a watch looks at changed", data },
    { topic: "watch.expired", when: "The deadline of a watch passed", data },
    { topic: "watch.stalled", when: "Nothing changed for as many checks as a watch was to report", data },
    { topic: "watch.failing", when: "Five checks of a watch in a row came to no verdict", data },
  ],
  routes: watchRoutes,
});
