import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ReferenceView } from "./api-reference-page.tsx";
import { loadReference, TOKEN_KEY } from "./load-reference.ts";
import type { Reference } from "./read-reference.ts";

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

describe("the page of the reference", () => {
  const page = renderToStaticMarkup(<ReferenceView reference={reference} />);

  it("shows what an operation takes and answers, and leads to it from the index", () => {
    expect(page).toContain('<a href="#things.edit">');
    expect(page).toContain('id="things.edit"');
    for (const part of ["/api/things/{id}", "Of the thing.", "size", "Changed.", "&quot;size&quot;: 2"]) {
      expect(page).toContain(part);
    }
  });

  it("can be read by eye and by ear: landmarks, headings in order, labels, heads of columns", () => {
    expect(page).toMatch(/<nav aria-label="Operations">.*<main/s);
    expect([...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))).toEqual([2, 1, 2, 3, 4, 4, 4]);
    expect(page).toMatch(/<label>Find <input type="search"/);
    expect(page).toContain('<th scope="col">');
  });

  it("renders code and bold of a description, and all other text unchanged", () => {
    expect(page).toContain("<code>code</code>");
    expect(page).toContain("<strong>Second</strong> &lt;b&gt;not bold&lt;/b&gt;.");
  });

  it("holds nothing that its Content-Security-Policy refuses (S6)", () => {
    expect(page).not.toMatch(/<script|\sstyle=|\son\w+=|https?:\/\//);
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
