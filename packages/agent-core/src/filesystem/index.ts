export { files, filesystem } from "./feature.ts";
export { FILE_TOOLS } from "./file-tools.ts";
export { type FilesystemSectionValue, filesystemSection } from "./filesystem-section.ts";
export { clamped, fileArguments, OF_FILES, pathArgument, projectArgument } from "./path-arguments.ts";
export { isBinary } from "./read-lines.ts";
export { SeenFiles } from "./seen-files.ts";
