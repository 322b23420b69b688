/** SQLite rejected a statement, for example because another process is writing or the disk is full. */
export const isSqliteError = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_');
