import { type LogLevel, type LogRecord, withheldRecord } from "./log-record.ts";
import { type Redactor, redactValues } from "./redact-values.ts";

/** A record of plain values, as it was logged. */
export interface PlainRecord {
  /** Epoch milliseconds of the event. */
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

/** Plain records that wait. */
export interface PlainRecords {
  add(record: PlainRecord): void;
  /** Delivers all that wait, in order. Safe to pass around unbound. */
  readonly deliverWaiting: () => void;
}

/** Milliseconds that a record may wait. */
const MAX_WAIT_MS = 50;
/** Records that may wait. */
const MAX_WAITING = 256;

/**
 * Lets plain records wait, then redacts and delivers them together: one at a time, between the work of turns, each costs
 * a third more.
 */
export function createPlainRecords(redact: Redactor, deliver: (record: LogRecord) => void): PlainRecords {
  let waiting: PlainRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  function deliverWaiting(): void {
    if (waiting.length === 0) return;
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    const areClean = isClean(textsOf(batch), redact);
    for (const record of batch) {
      deliver(areClean || isClean(textsOf([record]), redact) ? recordOf(record) : redacted(record, redact));
    }
  }
  return {
    add(record) {
      waiting.push(record);
      if (waiting.length >= MAX_WAITING) deliverWaiting();
      else timer ??= setTimeout(deliverWaiting, MAX_WAIT_MS);
    },
    deliverWaiting,
  };
}

/** The texts of records that may hold a secret, each apart, and the names of their fields. Numbers are shown as they are. */
function textsOf(records: readonly PlainRecord[]): string {
  const names = new Set<string>();
  let texts = "";
  for (const { message, fields } of records) {
    texts += `\n${message}`;
    for (const name in fields) {
      names.add(name);
      const value = fields[name];
      if (typeof value === "string") texts += `\n${value}`;
    }
  }
  return `${[...names].join("\n")}${texts}`;
}

function isClean(texts: string, redact: Redactor): boolean {
  return tried(() => redact(texts)) === texts;
}

function recordOf({ at, level, message, fields }: PlainRecord): LogRecord {
  return { time: new Date(at).toISOString(), level, msg: message, ...fields };
}

function redacted({ at, level, message, fields }: PlainRecord, redact: Redactor): LogRecord {
  const time = new Date(at).toISOString();
  const shown = tried(() => redactValues({ msg: message, ...fields }, redact) as { readonly msg: string });
  return shown === undefined ? withheldRecord(time) : { time, level, ...shown };
}

/** What `make` returns; undefined: it threw. */
function tried<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
