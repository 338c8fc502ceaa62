import type { Browser, CDPSession, Page } from "playwright-core";

/** A recording that goes on. */
export interface Recording {
  /** What is written below the picture from now on. */
  caption(text: string): Promise<void>;
  /** Records this page from now on. */
  follow(page: Page): Promise<void>;
  /** Ends it; the video is WebM. */
  end(): Promise<Uint8Array>;
}

const WIDTH = 1280;
const HEIGHT = 800;
const CAPTION = 56;

/** What the page that records has in its window. */
interface Stage {
  draw(jpeg: string): Promise<void>;
  caption(text: string): void;
  end(): Promise<string>;
}
type StageWindow = typeof globalThis & { stage: Stage };

/**
 * Records pages as a video, in the same browser: the pictures it sends of a page are drawn on the canvas of another one, which the
 * browser's own encoder reads. No other program is needed.
 */
export async function startRecording(browser: Browser, first: Page): Promise<Recording> {
  const context = await browser.newContext();
  const stage = await context.newPage();
  await stage.setContent(`<canvas width="${WIDTH}" height="${HEIGHT + CAPTION}"></canvas>`);
  await stage.evaluate(setStage, { width: WIDTH, height: HEIGHT, caption: CAPTION });
  let session: CDPSession | undefined;
  // Pictures are drawn one after the other, as they came.
  let drawn: Promise<unknown> = Promise.resolve();

  async function follow(page: Page): Promise<void> {
    await session?.detach().catch(() => {});
    const own = await page.context().newCDPSession(page);
    session = own;
    own.on("Page.screencastFrame", ({ data, sessionId }) => {
      drawn = drawn
        .then(() => stage.evaluate((jpeg) => (globalThis as StageWindow).stage.draw(jpeg), data))
        .then(() => own.send("Page.screencastFrameAck", { sessionId }))
        // The page that was followed is gone.
        .catch(() => {});
    });
    await own.send("Page.startScreencast", { format: "jpeg", quality: 85, maxWidth: WIDTH, maxHeight: HEIGHT });
  }

  await follow(first);
  return {
    follow,
    caption: (text) => stage.evaluate((shown) => (globalThis as StageWindow).stage.caption(shown), text),
    async end() {
      await session?.detach().catch(() => {});
      await drawn;
      const video = await stage.evaluate(() => (globalThis as StageWindow).stage.end());
      await context.close();
      return Buffer.from(video, "base64");
    },
  };
}

/** Runs in the page that records. */
function setStage({
  width,
  height,
  caption,
}: {
  readonly width: number;
  readonly height: number;
  readonly caption: number;
}): void {
  const canvas = document.querySelector("canvas")!;
  const pen = canvas.getContext("2d")!;
  const chunks: Blob[] = [];
  const recorder = new MediaRecorder(canvas.captureStream(12), {
    mimeType: "video/webm;codecs=vp8",
    videoBitsPerSecond: 2_500_000,
  });
  recorder.ondataavailable = ({ data }) => void chunks.push(data);
  let text = "";
  const write = (): void => {
    pen.fillStyle = "#1c1b2e";
    pen.fillRect(0, height, width, caption);
    pen.fillStyle = "#ffffff";
    pen.font = "22px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.fillText(text, 24, height + caption / 2);
  };
  // A still picture would otherwise have no end.
  setInterval(write, 250);
  (globalThis as StageWindow).stage = {
    async draw(jpeg) {
      const image = new Image();
      image.src = `data:image/jpeg;base64,${jpeg}`;
      await image.decode();
      const scale = Math.min(width / image.width, height / image.height, 1);
      const [wide, high] = [image.width * scale, image.height * scale];
      pen.fillStyle = "#e6e6ee";
      pen.fillRect(0, 0, width, height);
      pen.drawImage(image, (width - wide) / 2, (height - high) / 2, wide, high);
      write();
    },
    caption(shown) {
      text = shown;
      write();
    },
    end: () =>
      new Promise((resolve) => {
        recorder.onstop = () => {
          const reader = new FileReader();
          reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ""));
          reader.readAsDataURL(new Blob(chunks));
        };
        recorder.stop();
      }),
  };
  recorder.start(1_000);
}
