/** The page thread: one page, one answer. Its libraries are loaded only here, and gone with it. */
import { parentPort, workerData } from "node:worker_threads";
import type { PageJob, PageReply, PageText } from "./page-message.ts";

async function read(job: PageJob): Promise<PageText> {
  if (job.kind === "pdf") return (await import("./pdf-to-text.ts")).pdfToText(job.bytes);
  return (await import("./html-to-markdown.ts")).htmlToMarkdown(job.html, job.url);
}

const reply: PageReply = await read(workerData as PageJob).catch(() => undefined);
parentPort?.postMessage(reply);
