// Limits that both ends share. They are separate from the schemas, so that a window need not load those.

/** Longest message a person can send, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 2_000_000;

/** Maximum bytes of one attachment and of all attachments in a thread, and maximum attachments per message. */
export const MAX_ATTACHMENT = 10 * 1024 * 1024;
export const MAX_ATTACHED = 200 * 1024 * 1024;
export const MAX_ATTACHMENTS = 20;
/** Minimum UTF-16 units of pasted text that becomes an attachment. */
export const LONG_PASTE = 4_000;
/** Maximum bytes of an attached text that can be inserted into the message: a text field gets slow with longer ones. */
export const MAX_INSERTED = 100_000;

/** Maximum bytes of one `files.bytes` result or one `files.put` part. */
export const MAX_PART = 1024 * 1024;

/** Maximum UTF-16 units of a terminal's name. */
export const TERMINAL_TITLE = 80;

/** Milliseconds to undo a change to a provider's key or address. */
export const UNDO_PROVIDER_WITHIN = 60_000;

/** The word that a person types to confirm deleting everything. */
export const WIPE_WORD = 'DELETE';

/** Maximum directories of a tree in one query. */
export const MAX_DIRECTORIES = 200;

/** Maximum UTF-16 units of a search in threads. */
export const MAX_QUERY = 400;

/** Maximum bytes of a file whose content is stored for undo: the 5 MB that the window and the guide name. */
export const MAX_UNDO_FILE = 5_000_000;

/** Threads that a page asks about at once, whether they are erased. */
export const MAX_ASKED_ERASED = 10_000;
