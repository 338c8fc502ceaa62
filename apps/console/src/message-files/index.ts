export { FileList } from "./file-list.tsx";
export { imagesOf } from "./images-of.ts";
export { heldFile, type ShownFile } from "./shown-file.ts";
