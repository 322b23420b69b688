/** Aliases that models use for `file_path`. */
export const FILE_PATH_ALIASES = { path: 'file_path', filePath: 'file_path' } as const;
