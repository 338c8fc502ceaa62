import type { AnswerOf, OperatorClient, OperatorDefinition } from "@agent-service/operator-api/client";
import { queryOptions, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../api/index.ts";
import { type CodeToken, highlight } from "../markdown/index.ts";

type FilePage = AnswerOf<Extract<OperatorDefinition, { readonly name: "files.read" }>>;

/** Lines that are read and coloured together. */
const PART = 1_000;
/** Characters of a part that are coloured: more would keep the worker from what is looked at next. */
const MOST_COLOURED = 200_000;
/** Lines that are shown: browsers draw no element that is much higher. */
export const MOST_LINES = 500_000;

/** What is known of a file before its lines. */
export type FileFacts = Pick<FilePage, "size" | "line_count" | "language" | "binary">;

interface FilePart extends FileFacts {
  readonly lines: readonly string[];
}

/** A line of a file: its runs of one colour, or its text while it has none. */
export type FileLine = string | readonly CodeToken[];

/** A file as far as it is read: its facts with the first part, further lines as they are looked at. */
export interface FileFactsRead {
  readonly facts: FileFacts | undefined;
  readonly error: Error | null;
}

interface FileName {
  readonly project: string;
  readonly path: string;
}

/** Reads what there is to know of a file, and its first lines. */
export function useFileFacts({ project, path }: FileName): FileFactsRead {
  const { operator } = useApi();
  const { data, error } = useQuery(partOptions(operator, { project, path }, 0));
  return { facts: data, error };
}

/** Lines of a file, those in sight. */
export interface FileLines {
  readonly error: Error | null;
  readonly isReading: boolean;
  /** By its number, from 1; undefined: it is not read yet. */
  readonly line: (no: number) => FileLine | undefined;
  readonly readAgain: () => void;
}

/** Reads the parts of a file that the lines from `first` to `last` are in. */
export function useFileLines({ project, path }: FileName, first: number, last: number): FileLines {
  const { operator } = useApi();
  const client = useQueryClient();
  const inSight = last < first ? [] : partsBetween(first, last);
  const parts = useQueries({ queries: inSight.map((no) => partOptions(operator, { project, path }, no)) });
  const colours = useQueries({
    queries: inSight.map((no, index) => {
      const { data, dataUpdatedAt } = parts[index] ?? {};
      const text = data?.lines.join("\n") ?? "";
      return {
        queryKey: ["colours", project, path, no, dataUpdatedAt],
        enabled: data !== undefined && data.language !== null && text.length <= MOST_COLOURED,
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        structuralSharing: false as const,
        queryFn: async () => (await highlight(text, data?.language ?? "")) ?? null,
      };
    }),
  });
  return {
    error: parts.find(({ error }) => error !== null)?.error ?? null,
    isReading: parts.some(({ isFetching }) => isFetching),
    line(no) {
      const index = inSight.indexOf(Math.floor((no - 1) / PART));
      const within = (no - 1) % PART;
      return colours[index]?.data?.[within] ?? parts[index]?.data?.lines[within];
    },
    readAgain: () => void client.invalidateQueries({ queryKey: [...KEY, project, path] }),
  };
}

const KEY = ["files", "text"] as const;

function partOptions(operator: Pick<OperatorClient, "get">, { project, path }: FileName, no: number) {
  return queryOptions({
    queryKey: [...KEY, project, path, no],
    queryFn: ({ signal }) => readPart(operator, { project, path }, no, signal),
    // Another program may have changed the file, which no event says.
    staleTime: 5_000,
  });
}

function partsBetween(first: number, last: number): readonly number[] {
  const from = Math.floor((Math.max(1, first) - 1) / PART);
  const to = Math.floor((Math.max(first, last, 1) - 1) / PART);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** A part of a file, over as many pages as the service makes of it. */
async function readPart(
  operator: Pick<OperatorClient, "get">,
  file: FileName,
  no: number,
  signal: AbortSignal,
): Promise<FilePart> {
  const lines: string[] = [];
  const end = (no + 1) * PART;
  for (let start = no * PART + 1; ; ) {
    const query = { ...file, start: String(start), end: String(end) };
    const page = await operator.get("/api/fs/file", { query, signal });
    const count = page.end - page.start + 1;
    if (page.text !== null && count > 0) lines.push(...page.text.split("\n", count).map(withoutReturn));
    start = page.end + 1;
    const { size, line_count, language, binary } = page;
    if (count <= 0 || page.end >= Math.min(end, line_count)) return { size, line_count, language, binary, lines };
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
