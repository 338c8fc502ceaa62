import { defineFeature } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { logDecisions } from "./turn-decisions.ts";
import { logTurn } from "./turn-log.ts";

/** A line in the log for every turn that ends; at DEBUG one for each of its decisions. */
export const turnLog = defineServiceFeature({
  engine: ({ logging }) =>
    defineFeature({
      name: "turn-log",
      open: () => undefined,
      onCommit(_, view, events) {
        if (logging.debug !== undefined) logDecisions(view.id, events, logging.debug);
        logTurn(view, events, logging.plain);
      },
    }),
});
