import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi } from "../../api/index.ts";
import { dollars, tokens } from "../../ui/index.ts";
import type { StoredTurn } from "./turn-history.ts";

/** How full the conversation's context is and what it came to, as far as it was read. Figures name their source. */
export function Meter({
  session,
  turns,
  whole,
}: {
  readonly session: string;
  readonly turns: readonly StoredTurn[];
  /** All turns were read. */
  readonly whole: boolean;
}): ReactElement | null {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["prompts", "last", session],
    queryFn: () => operator.get("/api/prompts/last", { query: { session_id: session } }),
  });
  if (turns.length === 0) return null;
  const usage = data?.call?.usage;
  const context = usage ? usage.input_tokens : undefined;
  const priced = turns.filter(({ cost_usd }) => cost_usd !== null);
  const cost = priced.length === 0 ? undefined : priced.reduce((all, { cost_usd }) => all + (cost_usd ?? 0), 0);
  const isLeast = !whole || priced.length < turns.length;
  return (
    <p className="flex shrink-0 gap-3 text-sm text-ink-soft tabular-nums max-list:hidden">
      <span title="Tokens that the last model call of this chat was given">Context {tokens(context)}</span>
      <span
        title={`Estimated from price lists, of ${priced.length} turns${isLeast ? "; others were not read or have no price" : ""}`}
      >
        {cost !== undefined && isLeast ? "≥ " : ""}
        {cost === undefined ? "Cost –" : `≈ ${dollars(cost)}`}
      </span>
    </p>
  );
}
