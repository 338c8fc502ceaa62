import { Problem } from "../problem/index.ts";
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

/** The file and the fields of a body in parts. @throws Problem 400, 413 */
export async function readForm(
  { upload }: RouteDefinition,
  request: Request,
): Promise<{ readonly fields: { readonly [name: string]: string }; readonly file: Upload | undefined }> {
  const form = await request.formData().catch((error: unknown) => {
    throw new Problem(400, "The body is no well-formed multipart/form-data.", { cause: error });
  });
  const files: File[] = [];
  const fields: { [name: string]: string } = {};
  for (const [name, value] of form) {
    if (typeof value !== "string") files.push(value);
    else if (Object.hasOwn(fields, name)) throw new Problem(400, "A field was sent twice.");
    else fields[name] = value;
  }
  const [file, second] = files;
  if (second !== undefined) throw new Problem(400, "Send one file at a time.");
  if (file === undefined) return { fields, file: undefined };
  const most = upload?.maxBytes ?? 0;
  if (file.size > most) throw new Problem(413, `The file is larger than ${most} bytes.`);
  return { fields, file: { name: file.name, mediaType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) } };
}
