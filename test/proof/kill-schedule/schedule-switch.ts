import { setTimeout as sleep } from "node:timers/promises";
import { askOperator } from "../ask-operator.ts";
import type { Ledger } from "../ledger.ts";
import type { Random } from "../random.ts";

/** Switches schedules on or off (G10). @throws LostError, BrokenServiceError */
export async function switchSchedules(url: string, on: boolean, ledger: Ledger): Promise<void> {
  const request = { method: "POST", path: "/api/config", body: { config: { middleware: { scheduler: on } } } };
  const { status, body } = await askOperator<unknown>(url, request);
  if (status !== 200) ledger.blame(`switching schedules was refused: ${status} ${JSON.stringify(body)}`);
}

/** An operator who switches them off and on until the process ends. @throws LostError */
export async function switchThemOften(url: string, random: Random, ledger: Ledger): Promise<never> {
  for (let on = false; ; on = !on) {
    await sleep(random.int(150, 700));
    await switchSchedules(url, on, ledger);
  }
}
