/** The page thread: one page, one answer. Its libraries are loaded only here, and unloaded with it. */
import { parentPort, workerData } from "node:worker_threads";
import { htmlToMarkdown, pdfToText } from "../document/index.ts";
import type { PageJob, PageReply } from "./page-message.ts";

async function read(job: PageJob): Promise<PageReply> {
  switch (job.kind) {
    case "pdf":
      return pdfToText(job.bytes, job.limits);
    case "html":
      return htmlToMarkdown(job.html, job.url);
    case "duckduckgo":
      return (await import("./duckduckgo-page.ts")).readDuckDuckGoPage(job.html);
  }
}

const reply: PageReply = await read(workerData as PageJob).catch(() => undefined);
parentPort?.postMessage(reply);
