import { mountRoute, openApiDocument } from "@agent-service/operator-api";
import { editNote, listNotes, notesRoutes } from "./notes-routes.ts";

const notes = [3, 2, 1].map((id) => ({ id, text: `note ${id}` }));
const routes = notesRoutes({
  list: async (limit, before = Number.POSITIVE_INFINITY) => notes.filter(({ id }) => id < before).slice(0, limit),
  async edit(id, text) {
    const note = notes.find((one) => String(one.id) === id);
    return note && Object.assign(note, { text });
  },
});

// The service mounts the rows in its own table; here they are asked without one.
const rows = routes.map((route) =>
  mountRoute(route, { readJson: (text) => ({ ok: true, value: JSON.parse(text) as unknown }), redact: (text) => text }),
);

async function ask(method: "GET" | "PUT", path: string, body?: object): Promise<void> {
  const row = rows.find((one) => one.method === method)!;
  const request = new Request(`http://localhost${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const id = path.split("/")[3];
  const response = await row.handle({ request, caller: "operator", param: () => id });
  console.log(method, path, response.status, await response.text());
}

await ask("GET", "/api/notes?limit=2");
await ask("PUT", "/api/notes/3", { text: "changed" });
await ask("PUT", "/api/notes/9", { text: "changed" });
await ask("PUT", "/api/notes/3", { text: { secret: "not repeated" } });
console.log(Object.keys(openApiDocument([listNotes, editNote], "1.0.0").paths));
