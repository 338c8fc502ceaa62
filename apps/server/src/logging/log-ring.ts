import type { LogRecord } from "./log-record.ts";

/** The newest log lines, oldest first. */
export interface LogTail {
  readonly records: readonly LogRecord[];
  /** Older lines among those asked for were left out, because the answer would be too long. */
  readonly cut: boolean;
}

/** Maximum characters of all lines together; beyond it the oldest are dropped. */
const MAX_CHARS = 16 * 1024 * 1024;
/** Characters of one line; of a longer one the message's start is kept. */
const MAX_LINE = 16 * 1024;
/** Characters of one answer. */
const MAX_TAIL = 1024 * 1024;

/** The newest log lines in memory (B73 `LOG_BUFFER_LINES`), redacted as every sink gets them. */
export class LogRing {
  readonly #capacity: number;
  /** Each line as JSON. */
  #lines: string[] = [];
  #chars = 0;

  /** `capacity`: lines that are kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#lines.length;
  }

  /** `json`: the record as such. */
  add(record: LogRecord, json = JSON.stringify(record)): void {
    const line = lineOf(record, json);
    this.#lines.push(line);
    this.#chars += line.length;
    // The oldest are removed in batches: taking one from the front of a long list each time would move all others.
    const most = this.#capacity + Math.min(this.#capacity, 1_000);
    if (this.#lines.length >= most) this.#drop(this.#lines.length - this.#capacity);
    while (this.#chars > MAX_CHARS) this.#drop(Math.ceil(this.#lines.length / 10));
  }

  tail(count: number): LogTail {
    const wanted = this.#lines.slice(-Math.min(count, this.#capacity));
    let from = wanted.length;
    for (let chars = 0; from > 0; from--) {
      chars += wanted[from - 1]!.length;
      if (chars > MAX_TAIL) break;
    }
    return { records: wanted.slice(from).map((line) => JSON.parse(line) as LogRecord), cut: from > 0 };
  }

  #drop(count: number): void {
    for (const line of this.#lines.splice(0, count)) this.#chars -= line.length;
  }
}

function lineOf(record: LogRecord, line: string): string {
  if (line.length <= MAX_LINE) return line;
  const { time, level, msg } = record;
  return JSON.stringify({
    time,
    level,
    msg: `${msg.slice(0, MAX_LINE / 2)}[… cut: the line had ${line.length} characters]`,
  });
}
