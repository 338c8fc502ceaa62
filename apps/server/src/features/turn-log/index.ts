import { defineFeature } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { logTurn } from "./turn-log.ts";

/** A line in the log for every turn that ends. */
export const turnLog = defineServiceFeature({
  engine: ({ logging }) =>
    defineFeature({
      name: "turn-log",
      open: () => undefined,
      onCommit: (_, view, events) => logTurn(view, events, logging.logger),
    }),
});
