import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useSyncExternalStore } from "react";
import { useApi } from "../../api/index.ts";
import { useMemoryChange } from "../../memory/index.ts";
import { useNotices } from "../../notices/index.ts";
import { Button, InlineError } from "../../ui/index.ts";
import { offerWords } from "./memory-words.ts";

/** Offers to have a model read conversations that rest, where that costs something: until it was answered once. */
export function HarvestOffer(): ReactElement | null {
  const { operator, harvestOffered } = useApi();
  const notify = useNotices();
  const answered = useSyncExternalStore(harvestOffered.subscribe, harvestOffered.read);
  const { data } = useQuery({
    queryKey: ["knowledge", "harvesting"],
    queryFn: () => operator.get("/api/memory/harvesting"),
    enabled: answered === undefined,
  });
  const accept = useMemoryChange((model: string) =>
    operator.post("/api/settings", { body: { updates: { "knowledge.harvest_model": model } } }),
  );
  const offer = data?.offer ?? undefined;
  if (answered !== undefined || offer === undefined) return null;
  const answer = (): void => harvestOffered.write("answered");
  const turnOn = (): void =>
    accept.mutate(offer.model, {
      onSuccess() {
        answer();
        void notify({ text: `${offer.model} reads conversations that rest from now on.`, tone: "good" });
      },
    });
  return (
    <section
      aria-labelledby="harvest-offer"
      className="mt-4 flex flex-col gap-2.5 rounded-lg border border-line bg-raised p-4"
    >
      <h2 id="harvest-offer" className="font-medium">
        Extract memories from conversations that rest?
      </h2>
      <p className="break-words text-ink-soft">{offerWords(offer)}</p>
      <div className="flex flex-wrap gap-2">
        <Button small kind="primary" busy={accept.isPending} onClick={turnOn}>
          Extract them
        </Button>
        <Button small kind="quiet" disabled={accept.isPending} onClick={answer}>
          No, thanks
        </Button>
      </div>
      {accept.error !== null && <InlineError error={accept.error} />}
    </section>
  );
}
