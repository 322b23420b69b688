/** What SQLite says against a statement: another process writes, the disk is full. */
export const isSqliteError = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_');
