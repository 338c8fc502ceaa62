import { defineFeature, featureKey, type OwnStoreOptions } from "../feature/index.ts";
import { boardTools } from "./board-tools.ts";
import { IssueBoard } from "./issue-board.ts";
import { IssueRuns } from "./issue-runs.ts";

/** The task board, in a store of its own at `url`. A store that cannot be opened leaves the service without a board. */
export function board({ url }: Pick<OwnStoreOptions, "url">) {
  return defineFeature({
    name: "board",
    category: "tasks",
    topics: ["board.changed", "task.changed"],
    open({ db, service, newId, clock, bus, openStore }) {
      const issues = new IssueBoard({ store: openStore({ schema: "board", url }), clock, bus });
      return { issues, runs: new IssueRuns({ board: issues, db, service, newId }) };
    },
    tools: ({ issues }) => boardTools(issues),
    close: ({ issues }) => issues.closeStore(),
  });
}

/** What other features need of it. */
export const boardOfIssues = featureKey<"board", { readonly issues: IssueBoard }>("board");
