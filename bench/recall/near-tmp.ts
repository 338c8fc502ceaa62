import { denseEmbeddingOf as e } from "./dense-embedding.ts";
import { CALIBRATION_TEXTS, calibrate } from "../../packages/agent-core/src/knowledge/embedding/calibration.ts";
import { unitVector } from "../../packages/agent-core/src/knowledge/embedding/vector-code.ts";
console.log(calibrate(CALIBRATION_TEXTS.map((t) => unitVector(e(t))!)).floor);
