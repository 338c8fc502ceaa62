/** The tools that go with the file tools: while those are off, or nothing can be reached, none of them exists (F1, F14). */
export const FILE_TOOLS: readonly string[] = Object.freeze([
  ...["list_projects", "read_file", "list_dir", "find_files", "search_files"],
  ...["write_file", "edit_file", "delete_file", "run_command", "open_in_editor", "show_code"],
]);
