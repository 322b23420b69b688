/** A long string of a checkpoint as its own bytes (UTF-8), in place of the JSON in `text`, which is empty then. */
export const pieceBytes = 'ALTER TABLE pieces ADD COLUMN bytes BLOB;';
