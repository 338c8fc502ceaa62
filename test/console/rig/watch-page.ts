import type { Page, Request } from "playwright-core";

/** What went wrong on a page, in the order it was seen. */
export interface PageWatch {
  readonly problems: readonly string[];
  /** How many requests are open; streams of events, which stay open, are not counted. */
  inFlight(): number;
  /** Answers of these status codes are part of the journey: 401 where a token is asked for. */
  expectStatus(...codes: readonly number[]): void;
  /** The connection is cut on purpose: requests that it breaks are part of the journey. */
  expectLoss(): void;
}

/** How the browser names a connection that broke. */
const LOSS =
  /net::ERR_(CONNECTION_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|NETWORK_CHANGED|SOCKET_NOT_CONNECTED)/;

/**
 * Watches a page for what must never be: messages of warnings and errors, exceptions, violations of the
 * Content-Security-Policy, requests that fail and requests to another origin than `origin`.
 */
export async function watchPage(page: Page, origin: string): Promise<PageWatch> {
  const problems: string[] = [];
  const expected = new Set<number>();
  const open = new Set<Request>();
  let isLossExpected = false;
  const isExpectedLoss = (text: string): boolean => isLossExpected && LOSS.test(text);
  page.on("request", (request) => {
    if (!request.headers().accept?.includes("text/event-stream")) open.add(request);
  });
  page.on("requestfinished", (request) => void open.delete(request));
  page.on("requestfailed", (request) => void open.delete(request));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // The browser's own line about an answer that the journey expects.
    const [, status] = /status of (\d{3})/.exec(message.text()) ?? [];
    if (status !== undefined && expected.has(Number(status))) return;
    if (isExpectedLoss(message.text())) return;
    problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => void problems.push(`exception: ${error.stack ?? error.message}`));
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (asked !== origin && protocol !== "data:" && protocol !== "blob:")
      problems.push(`other origin: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    // A stream or a read that the page ended itself, or by leaving.
    const why = request.failure()?.errorText ?? "";
    if (why === "net::ERR_ABORTED" || isExpectedLoss(why)) return;
    problems.push(`request failed: ${request.method()} ${request.url()} (${why})`);
  });
  page.on("response", (response) => {
    if (response.status() < 400 || expected.has(response.status())) return;
    problems.push(`${response.status()}: ${response.request().method()} ${response.url()}`);
  });
  await page.exposeFunction("tellViolation", (text: string) => void problems.push(`policy violated: ${text}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
      (globalThis as unknown as { tellViolation(text: string): void }).tellViolation(
        `${violatedDirective} ${blockedURI} ${sourceFile}`,
      );
    });
  });
  return {
    problems,
    inFlight: () => open.size,
    expectStatus: (...codes) => codes.forEach((code) => void expected.add(code)),
    expectLoss() {
      isLossExpected = true;
    },
  };
}
