/**
 * Plays the tour in a real browser, slowly enough to be followed, and records it into the folder `tour` of the repository, which git
 * ignores: a video, and a picture of what each step came to. Ends with an error where a step does not come to what is to be
 * seen, or where connecting a model takes more than a minute.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { localGateway } from "../../packages/agent-core/src/testing/index.ts";
import { builtConsole } from "./rig/built-console.ts";
import { startConsoleRig } from "./rig/console-rig.ts";
import { startRecording } from "./tour/recorder.ts";
import { CONNECTED, STEPS, TOUR_SERVICE, tour } from "./tour/tour.ts";
import { TOUR_MODELS, tourModel } from "./tour/tour-model.ts";

const MS_PER_WORD = 45;
const MS_PER_KEY = 18;
const STEP_SHOWN_MS = 1_800;
const CONNECTED_WITHIN_MS = 60_000;
const out = new URL("../../tour/", import.meta.url).pathname;

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await using rig = await startConsoleRig((await builtConsole()).folder);
const gateway = await localGateway(tourModel(MS_PER_WORD));
gateway.list(TOUR_MODELS);
const service = await rig.start(TOUR_SERVICE);
try {
  await using watched = await rig.open(service.url);
  const { page, watch } = watched;
  const recording = await startRecording(rig.browser, page);
  const began = Date.now();
  let number = 0;
  let shown = page;
  try {
    await tour({
      ...{ page, visit: watched.visit, expectStatus: watch.expectStatus, gateway: gateway.baseUrl },
      async step(title, work) {
        number += 1;
        await recording.caption(`${number} of ${STEPS}   ${title}`);
        await work();
        const seconds = ((Date.now() - began) / 1_000).toFixed(1);
        await setTimeout(STEP_SHOWN_MS);
        await takePicture(`${number}-${title}`);
        console.log(`${seconds.padStart(6)} s  ${number}. ${title}`);
        if (title === CONNECTED && Date.now() - began > CONNECTED_WITHIN_MS)
          throw new Error("connecting a model took more than a minute");
      },
      async write(box, text) {
        await box.click();
        await box.pressSequentially(text, { delay: MS_PER_KEY });
        await setTimeout(300);
      },
      async turnTo(next) {
        if (next !== page) await setTimeout(STEP_SHOWN_MS);
        shown = next;
        await recording.follow(next);
        await setTimeout(STEP_SHOWN_MS);
        if (next !== page) await takePicture("shared page");
      },
    });
    if (watch.problems.length > 0) throw new Error(`something went wrong on the page:\n${watch.problems.join("\n")}`);
  } catch (error) {
    await takePicture("failed");
    throw error;
  } finally {
    writeFileSync(path.join(out, "tour.webm"), await recording.end());
  }

  async function takePicture(name: string): Promise<void> {
    await shown.screenshot({ path: path.join(out, `${name.replaceAll(/\W+/g, "-")}.png`) });
  }
} finally {
  await service.stop();
  await gateway.close();
}
console.log(path.join(out, "tour.webm"));
