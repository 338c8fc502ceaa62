export const JSON_HEADERS: Readonly<Record<string, string>> = { "content-type": "application/json" };

/** Headers that keep caches and proxies from holding back a body that comes in pieces. */
export const UNBUFFERED_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  ...UNBUFFERED_HEADERS,
  "content-type": "text/event-stream",
};
