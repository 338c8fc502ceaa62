/** A model's gateway that repeats secrets in every way an answer can fail. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Leaks } from "./leaking-tools.ts";

/** Ways to fail, named by the model that is asked: `<way>-<number>`. */
export const WAYS = ["400", "401", "429", "500", "stream", "html", "cut", "header"] as const;

/** Secrets one answer repeats. Error texts are cut at 300 characters, so there are few. */
export const REPEATED = 3;

/** The gateway, on a socket of this machine. */
export interface TalkingGateway {
  readonly baseUrl: string;
  close(): void;
}

/** Starts it. It repeats the key it was sent, too. */
export async function talkingGateway({ known, shaped }: Leaks): Promise<TalkingGateway> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { model = "400-0" } = read(Buffer.concat(chunks).toString());
      const [way = "400", number = "0"] = model.split("-");
      const from = Number(number) * REPEATED;
      const repeated = [...known.slice(from, from + REPEATED), shaped[Number(number) % shaped.length]];
      const said = `who are you? ${request.headers.authorization} ${repeated.join(" ; ")}`;
      const event = `data: ${JSON.stringify({ error: { message: said, code: repeated[0] } })}\n\n`;
      if (way === "stream") response.writeHead(200, { "content-type": "text/event-stream" }).end(event);
      else if (way === "html") response.writeHead(200, { "content-type": "text/html" }).end(`<p>${said}</p>`);
      else if (way === "cut") {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(event.slice(0, -2));
        response.destroy();
      } else if (way === "header")
        response.writeHead(302, { location: `http://127.0.0.1:9/?token=${encodeURIComponent(said)}` }).end();
      else response.writeHead(Number(way), { "content-type": "application/json" }).end(JSON.stringify({ error: said }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function read(text: string): { readonly model?: string } {
  try {
    return JSON.parse(text) as { readonly model?: string };
  } catch {
    return {};
  }
}
