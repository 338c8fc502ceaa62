import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A secret as the double keeps it. */
export interface LocalSecret {
  readonly name: string;
  readonly value: string;
  /** Folder; default `/`. */
  readonly path?: string;
  /** The identity may see its name only. */
  readonly hidden?: boolean;
}

/** What the double holds. */
export interface LocalInfisicalOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly projectId: string;
  /** Default `prod`. */
  readonly environment?: string;
  readonly secrets: readonly LocalSecret[];
  /** Secrets of imported folders, one list per import. */
  readonly imports?: readonly (readonly LocalSecret[])[];
}

type Answer = readonly [status: number, body: unknown];

/** A request the double was sent. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** Infisical on a socket of this machine. */
export interface LocalInfisical extends AsyncDisposable {
  /** Address without a slash at its end. */
  readonly host: string;
  readonly requests: readonly SeenRequest[];
  /** Replaces the secrets. */
  hold(secrets: readonly LocalSecret[]): void;
  /**
   * Answers every request from now on like this; undefined: properly again. `stall` answers nothing, `drop` closes the
   * socket.
   */
  answerWith(answer: { status: number; body?: string; location?: string } | "stall" | "drop" | undefined): void;
  close(): Promise<void>;
}

/**
 * A double of the part of Infisical's API that the provider uses, over real sockets: universal auth, and the list of a
 * folder's secrets with the folders below it and imports. It is as strict as the real one about who asks for what.
 */
export async function localInfisical(options: LocalInfisicalOptions): Promise<LocalInfisical> {
  const requests: SeenRequest[] = [];
  const accessToken = `access.${crypto.randomUUID()}`;
  let secrets = options.secrets;
  let special: Parameters<LocalInfisical["answerWith"]>[0];

  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests.push({ method: request.method ?? "", url: request.url ?? "", body });
      if (special === "stall") return;
      if (special === "drop") request.socket.destroy();
      else if (special === undefined) reply(response, answerTo(request, body));
      else {
        if (special.location !== undefined) response.setHeader("location", special.location);
        response.writeHead(special.status).end(special.body ?? "");
      }
    });
  });

  function answerTo(request: IncomingMessage, body: string): Answer {
    const url = new URL(request.url ?? "", "http://double");
    if (request.method === "POST" && url.pathname === "/api/v1/auth/universal-auth/login") {
      const { clientId, clientSecret } = JSON.parse(body) as { clientId?: unknown; clientSecret?: unknown };
      if (clientId !== options.clientId || clientSecret !== options.clientSecret)
        return [401, { message: `Invalid credentials: ${body}` }];
      return [200, { accessToken, expiresIn: 7200, accessTokenMaxTTL: 43_200, tokenType: "Bearer" }];
    }
    if (request.method !== "GET" || url.pathname !== "/api/v3/secrets/raw") return [404, {}];
    if (request.headers.authorization !== `Bearer ${accessToken}`) return [401, {}];
    const query = url.searchParams;
    if (query.get("workspaceId") !== options.projectId) return [403, {}];
    if (query.get("environment") !== (options.environment ?? "prod")) return [404, {}];
    const folder = query.get("secretPath") ?? "/";
    const below = folder.endsWith("/") ? folder : `${folder}/`;
    const listed = secrets.filter(
      ({ path = "/" }) =>
        `${path}/` === below || path === folder || (query.get("recursive") === "true" && path.startsWith(below)),
    );
    const imports = query.get("include_imports") === "true" ? (options.imports ?? []) : [];
    return [
      200,
      {
        secrets: listed.map(wireOf),
        imports: imports.map((imported) => ({ secretPath: "/imported", secrets: imported.map(wireOf) })),
      },
    ];
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    hold(next) {
      secrets = next;
    },
    answerWith(answer) {
      special = answer;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function wireOf({ name, value, path = "/", hidden = false }: LocalSecret) {
  return {
    id: crypto.randomUUID(),
    type: "shared",
    secretKey: name,
    secretValue: hidden ? "<hidden-by-infisical>" : value,
    secretValueHidden: hidden,
    secretPath: path,
  };
}

function reply(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
