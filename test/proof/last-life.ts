import { Clients } from "./client.ts";
import { type KilledTrial, keepLog } from "./killed-life.ts";
import type { Random } from "./random.ts";
import { startReceivers } from "./receivers.ts";
import { startLife } from "./service-life.ts";

const MOST_ROUNDS = 50;

/** What a trial does in its last life, before what is open comes to its end, and once nothing is open any more. */
export interface LastWork {
  before(url: string): Promise<void>;
  after(url: string): Promise<void>;
}

/** The last life of a trial: it is not killed, people answer what it asks until nothing is open, and it stops. */
export async function lastLife(trial: KilledTrial, random: Random, { before, after }: LastWork): Promise<void> {
  const { folder, context, ledger } = trial;
  const life = startLife(folder, undefined, context.compileCache);
  trial.life = life;
  let isAtRest = false;
  const receivers = await startReceivers();
  try {
    const url = await life.ready;
    if (url === undefined) throw new Error("the service did not start again");
    await before(url);
    const clients = new Clients(url, receivers, { ledger, agenda: { jobs: [], repeats: [], pickUps: [] } }, random);
    for (let open = await life.idle(), round = 0; open.length > 0 && round < MOST_ROUNDS; open = await life.idle()) {
      round++;
      await Promise.all(open.map((id, i) => clients.answerAll(id, random.fork(`answers${round}.${i}`))));
    }
    await after(url);
    isAtRest = true;
  } finally {
    await receivers.close();
    if (isAtRest) life.stop();
    else life.kill();
    await keepLog(trial, life, isAtRest);
  }
}
