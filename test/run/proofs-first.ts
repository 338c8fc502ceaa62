import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest first, so that no core idles at the end: the proofs, whose files are the smallest, then by vitest's order. */
export class ProofsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isProof = ({ moduleId }: TestSpecification): boolean => moduleId.includes("/test/proof/");
    return [...sorted.filter(isProof), ...sorted.filter((file) => !isProof(file))];
  }
}
