/** The environment variable in which the command leaves the patterns of the test files for `vitest.config.ts`, as JSON. */
export const testFilesVariable = "MUTANTS_TEST_FILES";
