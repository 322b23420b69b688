/** A long string of a checkpoint as bytes (UTF-8), instead of the JSON in `text`, which is then empty. */
export const pieceBytes = 'ALTER TABLE pieces ADD COLUMN bytes BLOB;';
