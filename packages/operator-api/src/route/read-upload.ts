import { Problem } from "../problem/index.ts";
import { readParts } from "./read-parts.ts";
import type { RouteDefinition, Upload } from "./route-definition.ts";

/** What the parts beside the file, and the lines between parts, may take. */
const FRAMING_BYTES = 1_100_000;

/** The largest body of a route in bytes; undefined: what is usual. */
export function bodyBytesOf({ upload }: RouteDefinition): number | undefined {
  return upload === undefined ? undefined : upload.maxBytes + FRAMING_BYTES;
}

/** Whether a request brings its body in parts. */
export function isForm({ upload }: RouteDefinition, request: Request): boolean {
  return upload !== undefined && /^multipart\/form-data\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
}

/** Whether a request's body is a file by itself. */
export function isFile({ upload }: RouteDefinition, request: Request): boolean {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  return upload?.alone !== undefined && type === upload.alone;
}

/** The file that is the body. @throws Problem 413 */
export async function readFile({ upload }: RouteDefinition, request: Request): Promise<Upload | undefined> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > (upload?.maxBytes ?? 0)) throw new Problem(413, "The file is too large.");
  return bytes.length === 0 ? undefined : { name: "", mediaType: upload?.alone ?? "", bytes };
}

/** The file and the fields of a body in parts. @throws Problem 400, 413 */
export async function readForm(
  { upload }: RouteDefinition,
  request: Request,
): Promise<{ readonly fields: { readonly [name: string]: string }; readonly file: Upload | undefined }> {
  const fileBytes = upload?.maxBytes ?? 0;
  const body = (request.body ?? []) as AsyncIterable<Uint8Array>;
  const parts = await readParts(request.headers.get("content-type") ?? "", body, {
    fileBytes,
    otherBytes: FRAMING_BYTES,
  });
  const fields: { [name: string]: string } = {};
  for (const { name, fileName, bytes } of parts) {
    if (fileName !== undefined) continue;
    if (Object.hasOwn(fields, name)) throw new Problem(400, "A field was sent twice.");
    fields[name] = new TextDecoder().decode(bytes);
  }
  const [file, second] = parts.filter(({ fileName }) => fileName !== undefined);
  if (second !== undefined) throw new Problem(400, "Send one file at a time.");
  if (file === undefined) return { fields, file: undefined };
  return { fields, file: { name: file.fileName ?? "", mediaType: file.mediaType, bytes: file.bytes } };
}
