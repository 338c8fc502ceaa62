/** Operators at work on what the agent remembers: each has things of its own, and keeps in mind what it was answered. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Ledger } from "../ledger.ts";
import type { Random } from "../random.ts";
import { LostError } from "../wire.ts";
import { askMemory, type MemoryReply } from "./memory-requests.ts";
import { contentOf, documentOf, drawThing, type Thing } from "./thing.ts";

/** An operator. */
export interface Keeper {
  readonly topic: string;
  readonly things: Thing[];
}

export interface MemoryWork {
  readonly url: string;
  readonly ledger: Ledger;
}

/** Things an operator begins with at most in a trial. */
const MOST_THINGS = 14;

/** Works until the process ends. @throws LostError once every operator has lost the connection */
export async function workOnMemory(keepers: readonly Keeper[], work: MemoryWork, random: Random): Promise<void> {
  const ends = await Promise.allSettled(
    keepers.map(async (keeper) => {
      const own = random.fork(keeper.topic);
      for (;;) {
        await act(keeper, work, own);
        await sleep(own.int(0, 40));
      }
    }),
  );
  const worst = ends.find((end) => end.status === "rejected" && !(end.reason instanceof LostError)) ?? ends[0];
  if (worst?.status === "rejected") throw worst.reason;
}

/** Forgets again what may not have been: it is known to be gone then. */
export async function finishForgetting({ things }: Keeper, work: MemoryWork): Promise<void> {
  for (const thing of things) if (thing.gone === "asked") await forget(thing, work);
}

async function act(keeper: Keeper, work: MemoryWork, random: Random): Promise<void> {
  const { things, topic } = keeper;
  await finishForgetting(keeper, work);
  const kind = random.next();
  if (things.length === 0 || (kind < 0.35 && things.length < MOST_THINGS)) return make(keeper, work, random);
  const thing = random.pick(things);
  if (kind < 0.6) return ask(topic, work, random);
  if (thing.gone !== "no" || thing.made !== "yes") return undefined;
  if (kind < 0.85) return forget(thing, work);
  if (thing.kind === "skill" || thing.kind === "conversation") return correct(thing, topic, work);
  return undefined;
}

function chat({ url }: MemoryWork, session_id: string, message: string): Promise<MemoryReply> {
  return askMemory(url, "POST", "/api/chat", { session_id, message });
}

/** Whether a turn called the tool, and the tool did what it was asked. */
function did({ status, body }: MemoryReply, said: RegExp): boolean {
  return status === 200 && said.test(JSON.stringify(body));
}

async function make({ things, topic }: Keeper, work: MemoryWork, random: Random): Promise<void> {
  const thing = drawThing(random);
  things.push(thing);
  thing.made = "asked";
  const { url, ledger } = work;
  if (thing.kind === "skill" || thing.kind === "conversation") {
    await correct(thing, topic, work);
    if (thing.kind === "conversation" && thing.version > 0 && random.chance(0.4)) await attach(thing, topic, work);
    if (thing.kind === "conversation" && random.chance(0.4))
      await askMemory(url, "POST", `/api/memory/sessions/${thing.session}/harvest`);
    return;
  }
  const reply = await store(thing, topic, url);
  if (reply.status >= 400) {
    ledger.blame(`${thing.word} was refused: ${reply.status} ${JSON.stringify(reply.body)}`);
    return;
  }
  thing.id = reply.body.id ?? reply.body.source_id ?? (await idOf(thing, url));
  thing.made = "yes";
}

function store(thing: Thing, topic: string, url: string): Promise<MemoryReply> {
  const content = contentOf(thing, topic, 0);
  const line = { text: JSON.stringify({ content, domain: "imported" }) };
  switch (thing.kind) {
    case "line":
      return askMemory(url, "POST", "/api/knowledge/import", line);
    case "document":
      return askMemory(url, "POST", "/api/knowledge/ingest?wait=false", { text: documentOf(thing, topic) });
    default:
      return askMemory(url, "POST", "/api/knowledge/chunks", { content, subject: thing.word });
  }
}

async function idOf({ word }: Thing, url: string): Promise<number | undefined> {
  return (await askMemory(url, "GET", `/api/knowledge/search?q=${word}`)).body.results[0]?.id;
}

async function attach(thing: Thing, topic: string, { url, ledger }: MemoryWork): Promise<void> {
  const text = documentOf(thing, topic).repeat(3);
  const { status } = await askMemory(url, "POST", "/api/knowledge/attach", { session_id: thing.session, text });
  if (status !== 200) ledger.blame(`an attachment of ${thing.word} was refused: ${status}`);
}

/** A first version, or the next one. A skill is changed, and what a conversation said is superseded. */
async function correct(thing: Thing, topic: string, work: MemoryWork): Promise<void> {
  // What was asked for and is not known to be done would be refused as a skill of a name that is taken.
  if (thing.kind === "skill" && thing.asked > thing.version) return;
  const version = ++thing.asked;
  const { word, session } = thing;
  if (thing.kind === "conversation") {
    const call = { content: contentOf(thing, topic, version), subject: word };
    const reply = await chat(work, session, `/call memory_ingest ${JSON.stringify(call)}`);
    if (!did(reply, /Stored memory \d+/)) return;
  } else {
    const body = `${word} of version ${version}.`;
    const call =
      version === 1
        ? `/call save_skill ${JSON.stringify({ name: word, description: `Use it for ${word}.`, body })}`
        : `/call update_skill ${JSON.stringify({ name: word, body, reason: "It was old." })}`;
    if (!did(await chat(work, `skills-${topic}`, call), /d the skill '\w+' \(version/)) return;
  }
  thing.version = version;
  thing.made = "yes";
}

/** Conversations that are shown what is remembered, by words of it that name none. */
async function ask(topic: string, work: MemoryWork, random: Random): Promise<void> {
  const session = `asks-${topic}-${random.int(0, 5)}`;
  const kind = random.next();
  if (kind < 0.2)
    await chat(work, session, `/call memory_recall ${JSON.stringify({ query: `${topic} river` })}\n/then\n/say done`);
  else if (kind < 0.4)
    await chat(work, session, `/call session_search ${JSON.stringify({ query: `${topic} river` })}\n/then\n/say done`);
  else await chat(work, session, `/wait ${random.int(1, 60)}\n/say Of the ${topic} river we speak.`);
}

async function forget(thing: Thing, { url, ledger }: MemoryWork): Promise<void> {
  thing.gone = "asked";
  const { kind, word, session, id } = thing;
  const reply = await (() => {
    switch (kind) {
      case "conversation":
        return askMemory(url, "DELETE", `/api/chat/sessions/${session}?forget=true`);
      case "skill":
        return askMemory(url, "DELETE", `/api/playbooks/${word}`);
      case "document":
        return askMemory(url, "POST", "/api/memory/forget", { source_id: id });
      default:
        return askMemory(url, "POST", "/api/memory/forget", { chunk_ids: [id] });
    }
  })();
  const isDone = reply.status === 200 || ((kind === "conversation" || kind === "skill") && reply.status === 404);
  if (!isDone) ledger.blame(`forgetting ${kind} ${word} was refused: ${reply.status} ${JSON.stringify(reply.body)}`);
  thing.gone = "yes";
}
