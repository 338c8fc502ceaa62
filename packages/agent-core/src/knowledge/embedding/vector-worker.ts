/** The vector thread: what reads, compares and scans vectors does it here. */
import { type MessagePort, parentPort } from "node:worker_threads";
import { CALIBRATION_TEXTS, calibrate } from "./calibration.ts";
import { EmbeddingError, embedTexts } from "./embed-texts.ts";
import { cosineOf, encodeVector, signsOf } from "./vector-code.ts";
import { VectorIndex } from "./vector-index.ts";
import type { VectorReply, VectorRequest, VectorRequestKind, VectorRequests } from "./vector-message.ts";

type Answers = {
  readonly [Kind in VectorRequestKind]: (
    asked: VectorRequests[Kind]["asked"],
  ) => VectorRequests[Kind]["answer"] | Promise<VectorRequests[Kind]["answer"]>;
};

/** What a thread with an index of its own answers. */
function answering(): Answers {
  let index = new VectorIndex(0);
  return {
    async calibrate({ endpoint }) {
      return calibrate(await embedTexts(endpoint, CALIBRATION_TEXTS));
    },
    async embed({ endpoint, texts, mean }) {
      const units = await embedTexts(endpoint, texts);
      requireSize(units[0], mean);
      return units.map((unit) => encodeVector(unit, mean));
    },
    open({ dims }) {
      index = new VectorIndex(dims);
      return null;
    },
    load({ rows }) {
      index.append(rows);
      return null;
    },
    set({ id, signs }) {
      index.set(id, signs);
      return null;
    },
    delete({ id }) {
      index.delete(id);
      return null;
    },
    async find({ endpoint, text, mean, limit }) {
      const [unit] = await embedTexts(endpoint, [text]);
      requireSize(unit, mean);
      return { unit, ids: index.nearest(signsOf(unit, mean), limit) };
    },
    nearest: ({ unit, mean, limit }) => index.nearest(signsOf(unit, mean), limit),
    compare: ({ unit, full }) => full.map((one) => cosineOf(unit, one)),
  };
}

function requireSize(unit: Float32Array | undefined, mean: Float32Array): asserts unit is Float32Array {
  if (unit?.length !== mean.length) throw new EmbeddingError("resized", "answered with vectors of another size");
}

async function reply(answers: Answers, { number, kind, asked }: VectorRequest): Promise<VectorReply> {
  try {
    return { number, answer: await answers[kind](asked as never) };
  } catch (error) {
    const { code = "unusable", message } = error as Partial<EmbeddingError> & Error;
    return { number, failure: { code, message } };
  }
}

function serve(port: MessagePort): void {
  const answers = answering();
  port.on("message", (request: VectorRequest) => {
    void reply(answers, request).then((answered) => port.postMessage(answered));
  });
}

if (parentPort !== null) serve(parentPort);
