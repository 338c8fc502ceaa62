export { hasEditor } from "./editor-command.ts";
export { files, filesystem } from "./feature.ts";
export { FILE_TOOLS } from "./file-tools.ts";
export { type FilesystemSectionValue, filesystemSection } from "./filesystem-section.ts";
export { type EditorHandoff, openInEditor } from "./open-in-editor.ts";
export { clamped, fileArguments, OF_FILES, pathArgument, projectArgument } from "./path-arguments.ts";
export { isBinary } from "./read-lines.ts";
export { SeenFiles } from "./seen-files.ts";
