import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ListStates, type ReadList } from "./list-states.tsx";

const read: ReadList = {
  ...{ isPending: false, isSuccess: true, error: null, hasNextPage: false, isFetchingNextPage: false },
  ...{ refetch: () => Promise.resolve(), fetchNextPage: () => Promise.resolve() },
};

function shown(more: Partial<ReadList>, isEmpty: boolean): string {
  return renderToStaticMarkup(
    <ListStates list={{ ...read, ...more }} isEmpty={isEmpty} failed="It cannot be read" empty={<p>Nothing yet</p>}>
      <ol />
    </ListStates>,
  );
}

test("a list is a skeleton while it is read, and explains itself when it is empty", () => {
  expect(shown({ isPending: true, isSuccess: false }, true)).toMatch(/Loading.*<ol>/);
  expect(shown({}, true)).toContain("Nothing yet");
  // A filter may leave a page empty and the next one not.
  expect(shown({ hasNextPage: true }, true)).not.toContain("Nothing yet");
  expect(shown({ hasNextPage: true }, true)).toContain("Show older ones");
  expect(shown({}, false)).toBe("<ol></ol>");
});

test("a failed read is reported, and what was read before stays", () => {
  const failure = { isSuccess: false, error: new Error("the store is busy") };
  expect(shown(failure, true)).toMatch(/It cannot be read.*the store is busy.*Try again/);
  expect(shown(failure, false)).toBe("<ol></ol>");
});
