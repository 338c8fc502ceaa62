import { defineResource } from "../resource/index.ts";
import { findLocalModels, listModels, modelLanesRoutes, modelsRoutes, readLanes, testModel } from "./routes.ts";

/** Connections to models and what they offer. */
export const models = defineResource({
  name: "models",
  definitions: [listModels, testModel, findLocalModels],
  topics: [
    {
      topic: "model.fallback",
      when: "A turn went on with another model",
      data: "`task_id`, `session_id`, `from`, `to`, `code`",
    },
    { topic: "model.changed", when: "The lead model or a connection is another one", data: "`keys`" },
  ],
  routes: modelsRoutes,
});

/** Who calls models and who waits. */
export const modelLanes = defineResource({
  name: "modelLanes",
  feature: "model_lanes",
  definitions: [readLanes],
  routes: modelLanesRoutes,
});
