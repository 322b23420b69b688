// What both ends keep to, apart from the schemas, which a window need not make to know them.

/** Longest message a person can send, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 2_000_000;

/** Bytes of one attachment, of all of a thread, and how many a message takes. */
export const MAX_ATTACHMENT = 10 * 1024 * 1024;
export const MAX_ATTACHED = 200 * 1024 * 1024;
export const MAX_ATTACHMENTS = 20;
/** UTF-16 units from which on text that is pasted becomes an attachment. */
export const LONG_PASTE = 4_000;

/** Bytes that one `files.bytes` answers, or one `files.put` brings, at most. */
export const MAX_PART = 1024 * 1024;

/** UTF-16 units of the name that a person gives a terminal. */
export const TERMINAL_TITLE = 80;

/** Milliseconds that the key or the address of a provider can be brought back. */
export const UNDO_PROVIDER_WITHIN = 60_000;

/** What a person types to have everything deleted. */
export const WIPE_WORD = 'DELETE';

/** Directories of a tree that are asked about at once. */
export const MAX_DIRECTORIES = 200;

/** UTF-16 units of what is searched for in threads. */
export const MAX_QUERY = 400;

/** Bytes of a file whose content is kept for undo. */
export const MAX_UNDO_FILE = 5 * 1024 * 1024;
