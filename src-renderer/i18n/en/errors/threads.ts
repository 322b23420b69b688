/** Threads, messages and attachments. */
export const threads = {
  terminal_without_output: 'This terminal has not shown anything yet.',
  thread_without_changes: 'This thread has not changed any file.',
  thread_gone: 'This thread does not exist any more.',
  project_gone: 'This project does not exist any more.',
  attachment_too_large:
    '“{name}” is larger than {megabytes} MB and was not attached. Put it into the folder and name it with @.',
  attachments_too_large:
    'The attachments of this thread would be larger than {megabytes} MB. Put the file into the folder and name it with @.',
  attachment_not_saved: 'The attachment could not be saved. Free some space on the disk and try again.',
  attachment_gone: 'This attachment is not kept any more.',
  attached_picture_too_large:
    'This picture is too large to show here: it has more than 100 megapixels, or too many frames. Attach a smaller copy.',
  attached_picture_damaged:
    'This picture is damaged or of an unknown kind. Attach it as PNG, JPEG, GIF or WebP.',
  import_not_json: 'This file is not JSON. Choose one that was exported as JSON from a thread.',
  import_not_thread: 'This file is not a thread exported from Deepdesk.',
  import_newer: 'This thread was exported by a newer Deepdesk. Update Deepdesk to read it.',
  import_damaged: 'This file is damaged and cannot be read.',
  import_message_twice: 'This file is damaged: a message stands in it twice.',
  import_call_twice: 'This file is damaged: a call stands in it twice.',
  fork_from_message: 'Only your own messages and those of the agent itself can be gone on from.',
  message_empty: 'There is nothing in this message.',
  file_unreadable: 'The file {path} could not be read.',
  thread_not_restorable: 'This thread cannot be restored.',
  call_picture_too_large: 'This picture is too large to show here. Ask the agent for a smaller one.',
  picture_gone: 'This picture is not kept any more.',
  part_gone: 'This part of the thread is not there any more.',
  last_compaction_only: 'Only the last compaction of a thread that is still in effect can be undone.',
  pin_messages_only: 'Only messages of yours and of the agent can be pinned.',
  message_with_secret:
    'This message has what looks like a secret in it. It was not sent. Take it out, redact it, or say that it may be sent.',
  attachment_with_secret:
    '“{name}” may hold passwords or keys. The message was not sent. Take the file off, or say that it may be sent.',
  attachment_not_kept: '“{name}” is no longer kept. Remove it, or attach it again.',
  message_sent_already: 'This message was sent already.',
  compacting_stopped: 'Compacting was stopped. Nothing has changed.',
  sub_agents_only: 'Only sub-agents can be stopped by themselves.',
  sub_agent_finished: 'This sub-agent has already finished.',
  nothing_to_retry: 'There is nothing to try again in this thread.',
  decision_not_allowed: 'This call cannot be answered by "{decision}". Possible: {allowed}.',
  answers_count: {
    one: 'Answer {count} question, as a JSON list with one answer.',
    other: 'Answer all {count} questions, as a JSON list with one answer each.',
  },
  answer_empty: 'Question {number} has no answer.',
  answer_not_a_choice: 'An answer to question {number} is not one of its choices.',
  answer_one_choice: 'Question {number} takes one choice.',
  compact_after_turn: 'The agent is at work. Compact the thread when this turn has ended.',
  import_too_large: 'The file is larger than {megabytes} MB and was not read.',
} as const;
