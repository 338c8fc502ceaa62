import type { BrowserContext, Page } from "playwright-core";

/** A browser profile that journeys use one after the other. */
export interface KeptProfile {
  /** A window in it. `end` closes all windows opened since, and forgets what pages of `origin` stored. */
  open(origin: string): Promise<{ readonly page: Page; end(): Promise<void> }>;
}

/** What a page of the console can store, without the files it is made of. */
const STORED = "cookies,local_storage,indexeddb,cache_storage,service_workers";

/**
 * Makes a profile that keeps what people's browsers keep from one visit to the next: the files of the pages, and their compiled
 * code. A page in a profile of its own takes three times the processor time to open. `address` is a page of the site that
 * stays open, so that its process does, with the code.
 */
export async function keepProfile(context: BrowserContext, address: string): Promise<KeptProfile> {
  const staying = await context.newPage();
  await staying.goto(address);
  const session = await context.newCDPSession(staying);
  return {
    async open(origin) {
      return {
        page: await context.newPage(),
        async end() {
          const opened = context.pages().filter((page) => page !== staying);
          await Promise.all(opened.map((page) => page.close()));
          await session.send("Storage.clearDataForOrigin", { origin, storageTypes: STORED });
        },
      };
    },
  };
}
