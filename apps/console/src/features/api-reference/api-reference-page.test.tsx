import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { loadReference, TOKEN_KEY } from "./load-reference.ts";
import { OperationSection } from "./operation-section.tsx";
import type { Reference } from "./read-reference.ts";
import { ReferenceView } from "./reference-view.tsx";
import { narrowed, searchable, withAbsentLast } from "./search-reference.ts";

const reference: Reference = {
  title: "The API",
  version: "1.2.3",
  description: "First with `code`.\n\n**Second** <b>not bold</b>.",
  groups: [
    {
      name: "Things",
      operations: [
        {
          id: "things.edit",
          method: "PUT",
          path: "/api/things/{id}",
          summary: "Changes a thing",
          description: "",
          parameters: [
            { name: "id", where: "path", required: true, description: "Of the thing.", schema: { type: "string" } },
          ],
          body: {
            mediaType: "application/json",
            schema: { type: "object", properties: { size: { type: "number" } } },
            example: { size: 2 },
          },
          answers: [{ status: "200", description: "Changed.", content: undefined }],
        },
      ],
    },
  ],
};

const root = "http://127.0.0.1:1";
const [edit] = reference.groups[0]?.operations ?? [];

describe("the page of the reference", () => {
  const page = renderToStaticMarkup(<ReferenceView reference={reference} root={root} />);
  const opened =
    edit && renderToStaticMarkup(<OperationSection operation={edit} root={root} open onToggle={() => {}} />);

  it("lists each operation in a line, which opens into what it takes and answers", () => {
    expect(page).toContain('id="things.edit"');
    expect(page).not.toContain("Of the thing.");
    for (const part of ["/api/things/{id}", "Of the thing.", "size", "Changed.", "&quot;size&quot;: 2"]) {
      expect(opened).toContain(part);
    }
  });

  it("can be read by eye and by ear: landmarks, headings in order, labels, heads of columns", () => {
    expect(page).toMatch(/<nav aria-label="Operations".*<main/s);
    expect([...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))).toEqual([1, 2, 3]);
    expect([...(opened ?? "").matchAll(/<h(\d)/g)].map(([, level]) => Number(level))).toEqual([3, 4, 4, 4]);
    expect(page).toMatch(/<label[^>]*>Find an operation<\/label>/);
    expect(opened).toContain('<th scope="col"');
  });

  it("renders code and bold of a description, and all other text unchanged", () => {
    expect(page).toContain("<code>code</code>");
    expect(page).toContain("<strong>Second</strong> &lt;b&gt;not bold&lt;/b&gt;.");
  });

  it("holds nothing that its Content-Security-Policy refuses (S6)", () => {
    expect(page + opened).not.toMatch(/<script|\sstyle=|\son\w+=|https:\/\//);
  });

  it("is searched by path, words and fields; what the build does not have stands last", () => {
    const found = (wanted: string) =>
      narrowed(searchable(reference.groups), wanted).flatMap(({ operations }) => operations.length);
    expect([found("put things"), found("SIZE"), found("size nothing")]).toEqual([[1], [1], []]);
    const absent = { ...edit!, id: "goals", summary: "Not in this build: answers 503" };
    const groups = [{ name: "Goals", operations: [absent] }, ...reference.groups];
    expect(withAbsentLast(groups).map(({ name }) => name)).toEqual(["Things", "Not in this build"]);
  });
});

describe("asking for the reference", () => {
  const storage = (token: string | null) => ({ getItem: (key: string) => (key === TOKEN_KEY ? token : null) });

  it("goes to the document beside the page, with the token the browser keeps", async () => {
    const asked: unknown[] = [];
    const loaded = await loadReference(storage("tok-1"), async (url, { headers }) => {
      asked.push(url, new Headers(headers).get("authorization"));
      return Response.json({ openapi: "3.1.0", info: { title: "T" }, paths: {} });
    });
    expect(asked).toEqual(["../api/openapi.json", "Bearer tok-1"]);
    expect(loaded).toMatchObject({ kind: "reference", reference: { title: "T" } });
  });

  it("distinguishes a missing token from a service that does not answer", async () => {
    const refused = await loadReference(storage(null), async () =>
      Response.json({ detail: "Send a token." }, { status: 401 }),
    );
    expect(refused).toEqual({ kind: "token-needed", message: "Send a token." });
    const lost = await loadReference(storage(null), () => Promise.reject(new TypeError("fetch failed")));
    expect(lost).toEqual({ kind: "failed", message: "fetch failed" });
  });
});
