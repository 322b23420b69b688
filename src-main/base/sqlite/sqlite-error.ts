/** SQLite rejected a statement, for example because another process is writing or the disk is full. */
export const isSqliteError = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_');
/** Another connection is writing. */
export const isBusyError = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && /^SQLITE_(?:BUSY|LOCKED)/.test(String(thrown.code));
