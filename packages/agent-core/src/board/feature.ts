import { defineFeature, type OwnStoreOptions } from "../feature/index.ts";
import { boardTools } from "./board-tools.ts";
import { IssueBoard } from "./issue-board.ts";

/** The task board, in a store of its own at `url`. A store that cannot be opened leaves the service without a board. */
export function board({ url }: Pick<OwnStoreOptions, "url">) {
  return defineFeature({
    name: "board",
    category: "tasks",
    topics: ["board.changed", "task.changed"],
    open: (engine) =>
      new IssueBoard({ store: engine.openStore({ schema: "board", url }), clock: engine.clock, bus: engine.bus }),
    tools: (board) => boardTools(board),
    close: (board) => board.closeStore(),
  });
}
