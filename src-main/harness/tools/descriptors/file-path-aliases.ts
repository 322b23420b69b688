/** What models write in place of `file_path`. */
export const FILE_PATH_ALIASES = { path: 'file_path', filePath: 'file_path' } as const;
