/** Threads, messages and attachments. */
export const threads = {
  terminal_without_output: 'This terminal has no output yet.',
  thread_without_changes: "This thread hasn't changed any file.",
  thread_gone: 'This thread no longer exists.',
  project_gone: 'This project no longer exists.',
  thread_project_removed:
    "This thread's project was removed from the list. Open its folder in Deepdesk again, then continue.",
  attachment_too_large:
    "“{name}” is larger than {megabytes} MB and wasn't attached. Put it into the folder and mention it with @.",
  attachments_too_large:
    'The attachments of this thread would be larger than {megabytes} MB. Put the file into the folder and mention it with @.',
  attachment_not_saved: "Couldn't save the attachment. Free some space on the disk and try again.",
  attachment_gone: 'This attachment is no longer available.',
  attached_picture_too_large:
    'This image is too large to show here: it has more than 100 megapixels, or too many frames. Attach a smaller copy.',
  attached_picture_damaged:
    'This image is damaged or of an unknown kind. Attach it as PNG, JPEG, GIF or WebP.',
  import_not_json: "This file isn't JSON. Choose one that was exported as JSON from a thread.",
  import_not_thread: "This file isn't a thread exported from Deepdesk.",
  import_newer: 'This thread was exported by a newer Deepdesk. Update Deepdesk to read it.',
  import_damaged: "This file is damaged and can't be read.",
  import_message_twice: 'This file is damaged: it contains a message twice.',
  import_call_twice: 'This file is damaged: it contains a tool call twice.',
  fork_files_not_copied:
    "Couldn't copy the thread's attachments and command outputs, so there is no new thread. Free some space on the disk and try again.",
  fork_from_message: "You can only continue from your own messages and from the agent's.",
  message_empty: 'This message is empty.',
  file_unreadable: "Couldn't read {path}.",
  thread_not_restorable: "Couldn't restore this thread.",
  call_picture_too_large: 'This image is too large to show here. Ask the agent for a smaller one.',
  picture_gone: 'This image is no longer available.',
  part_gone: 'This part of the thread no longer exists.',
  last_compaction_only: "You can only undo a thread's last compaction that is still in effect.",
  pin_messages_only: "You can only pin your own messages and the agent's.",
  message_with_secret:
    "This message contains what looks like a secret, so it wasn't sent. Remove it, redact it, or allow sending it.",
  attachment_with_secret:
    "“{name}” may contain passwords or keys, so the message wasn't sent. Remove the file, or allow sending it.",
  attachment_not_kept: '“{name}” is no longer available. Remove it, or attach it again.',
  message_sent_already: 'This message has already been sent.',
  compacting_stopped: 'Compacting was stopped. Nothing has changed.',
  sub_agents_only: 'Only sub-agents can be stopped on their own.',
  sub_agent_finished: 'This sub-agent has already finished.',
  nothing_to_retry: 'This thread has nothing to retry.',
  decision_not_allowed: "This call can't be answered by “{decision}”. Possible: {allowed}.",
  edited_arguments:
    'These arguments are missing or have the wrong type: {names}. Enter all arguments; the call is still waiting.',
  answers_count: {
    one: 'Answer {count} question, as a JSON list with one answer.',
    other: 'Answer all {count} questions, as a JSON list with one answer each.',
  },
  answer_empty: 'Question {number} has no answer.',
  answer_not_a_choice: "An answer to question {number} isn't one of its choices.",
  answer_one_choice: 'Question {number} takes one choice.',
  compact_after_turn: 'The agent is working. Compact the thread after this turn.',
  import_too_large: "The file is larger than {megabytes} MB and wasn't read.",
} as const;
