import { mountResources, openApiDocument } from "@agent-service/operator-api";
import { type NotesService, notes } from "./notes-resource.ts";

const stored = [3, 2, 1].map((id) => ({ id, text: `note ${id}` }));
const service: NotesService = {
  list: async (limit, before = Number.POSITIVE_INFINITY) => stored.filter(({ id }) => id < before).slice(0, limit),
  async edit(id, text) {
    const note = stored.find((one) => String(one.id) === id);
    return note && Object.assign(note, { text });
  },
};

/** The rows of a build: the service mounts them in its own table, here they are asked without one. */
function build(parts: { readonly notes?: NotesService }, features: { readonly notes?: boolean }) {
  return mountResources({
    resources: [notes],
    services: parts,
    features: () => features,
    version: "1.0.0",
    readJson: (text) => ({ ok: true, value: JSON.parse(text) as unknown }),
    redact: (text) => text,
  });
}

async function ask(rows: ReturnType<typeof build>, method: "GET" | "PUT", path: string, body?: object): Promise<void> {
  const id = path.split("/")[3];
  const row = rows.find((one) => one.method === method && one.path.includes("{") === (id !== undefined))!;
  const request = new Request(`http://localhost${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const response = await row.handle({ request, caller: "operator", param: () => id });
  console.log(method, path, response.status, await response.text());
}

const rows = build({ notes: service }, { notes: true });
await ask(rows, "GET", "/api/notes?limit=2");
await ask(rows, "PUT", "/api/notes/3", { text: "changed" });
await ask(rows, "PUT", "/api/notes/9", { text: "changed" });
await ask(rows, "PUT", "/api/notes/3", { text: { secret: "not repeated" } });
console.log(Object.keys(openApiDocument(notes.definitions, "1.0.0").paths));

console.log("without the feature:");
await ask(build({}, {}), "GET", "/api/notes");
await ask(build({}, {}), "PUT", "/api/notes/3", { text: "changed" });

console.log("with the feature, without its service:");
try {
  build({}, { notes: true });
} catch (error) {
  console.log((error as Error).message);
}
