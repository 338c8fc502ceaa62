import { type Client, createClient, type InStatement, type ResultSet } from "@libsql/client/http";
import type { Clock } from "../../clock/index.ts";
import { DatabaseError } from "../database-error.ts";
import type { Row, Statement, Value } from "../database-port.ts";
import type { SetupConnection } from "../setup-connection.ts";
import { readRemoteFailure } from "./remote-error.ts";

export interface RemoteAddress {
  readonly url: string;
  readonly authToken: string | undefined;
  readonly clock: Clock;
}

const ATTEMPTS = 6;
const FIRST_DELAY_MS = 50;
const REQUEST_TIMEOUT_MS = 5_000;
const MOST_ROWS = 50_000;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** A server behind the client library: values as the port has them, bounded waiting, bounded retries of reads. */
export class RemoteConnection implements SetupConnection {
  readonly description: string;
  readonly #address: RemoteAddress;
  #client: Client;

  constructor(address: RemoteAddress) {
    this.#address = address;
    const { protocol, host, pathname } = new URL(address.url);
    this.description = `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
    this.#client = this.#connect();
  }

  /** Sends statements as one transaction, once. Throws what the client throws; see `readRemoteFailure`. */
  async batch(statements: readonly Statement[]): Promise<void> {
    await this.#client.batch(statements.map(inStatement), "write");
  }

  /** Sends one statement, once. Throws what the client throws. */
  async once(sql: string, args: readonly Value[] = []): Promise<number> {
    return (await this.#client.execute(inStatement({ sql, args }))).rowsAffected;
  }

  /** Runs a query; repeats it while the server does not answer. @throws DatabaseError */
  async query(sql: string, args: readonly Value[] = []): Promise<readonly Row[]> {
    const result = await this.retry(() => this.#client.execute(inStatement({ sql, args })));
    if (result.rows.length > MOST_ROWS) {
      throw new DatabaseError(
        "misuse",
        `the result is larger than ${MOST_ROWS} rows; read it in pages: ${sql.slice(0, 200)}`,
      );
    }
    return result.rows.map((row) => portRow(row, result.columns.length));
  }

  /** Runs one statement. When its reply is lost it counts as without effect: who called must look again. */
  async execute(sql: string, args: readonly Value[] = []): Promise<number> {
    try {
      return await this.once(sql, args);
    } catch (error) {
      const failure = readRemoteFailure(error, this.description);
      if (failure.kind !== "unknown") throw failure.error;
      this.renew();
      await this.query("SELECT 1");
      return 0;
    }
  }

  async script(sql: string): Promise<void> {
    try {
      await this.#client.executeMultiple(`BEGIN IMMEDIATE;\n${sql}\n;COMMIT`);
    } catch (error) {
      throw this.#asDatabaseError(error);
    }
  }

  /** Repeats `action`, which must be harmless to repeat, while the server does not answer. @throws DatabaseError */
  async retry<T>(action: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await action();
      } catch (error) {
        if (readRemoteFailure(error, this.description).kind !== "unknown" || attempt >= ATTEMPTS) {
          throw this.#asDatabaseError(error);
        }
        this.renew();
        await this.pause(attempt);
      }
    }
  }

  /** Waits before the attempt after attempt number `attempt`: 50 ms, then twice as long each time. */
  pause(attempt: number): Promise<void> {
    return new Promise((resolve) => {
      this.#address.clock.setTimeout(resolve, FIRST_DELAY_MS * 2 ** (attempt - 1));
    });
  }

  /** Starts with a fresh client: it remembers a failed first contact for good. Requests in progress continue. */
  renew(): void {
    this.#client = this.#connect();
  }

  close(): void {
    this.#client.close();
  }

  #connect(): Client {
    const { url, authToken } = this.#address;
    const fetchInTime = (request: Request): Promise<Response> =>
      fetch(request, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    return createClient({
      url,
      intMode: "bigint",
      fetch: fetchInTime,
      ...(authToken === undefined ? {} : { authToken }),
    });
  }

  #asDatabaseError(error: unknown): DatabaseError {
    const failure = readRemoteFailure(error, this.description);
    if (failure.kind !== "unknown") return failure.error;
    return new DatabaseError("unreachable", `${this.description} does not answer: ${failure.reason}`, { cause: error });
  }
}

/** Whole numbers travel as integers; the client would send every number as a float. */
function inStatement({ sql, args }: Statement): InStatement {
  return { sql, args: args.map((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value)) };
}

function portRow(row: ResultSet["rows"][number], columns: number): Row {
  const values = new Array<Value>(columns);
  for (let i = 0; i < columns; i += 1) {
    const value = row[i] ?? null;
    if (typeof value === "bigint" && value <= LARGEST && value >= -LARGEST) values[i] = Number(value);
    else if (value instanceof ArrayBuffer) values[i] = new Uint8Array(value);
    else values[i] = value;
  }
  return values;
}
