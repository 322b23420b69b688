import type { ReasonCode } from '@contract/shared/reasons';
import type { Entry } from '../types';

/**
 * Reasons whose text for the model differs from that for the person: it says what the model may do next, and has the words that
 * models know from the published package. All other reasons read the same for both.
 */
export const forModel = {
  path_not_text: 'file_path must be a string.',
  path_traversal: 'Path traversal not allowed: {path}',
  path_read_denied: 'permission denied for read on {path}',
  path_write_denied: 'permission denied for write on {path}',
  plan_mode:
    'plan mode: this project is read-only until the person changes that. Nothing ran. Keep reading, and describe what you would do.',
  do_otherwise:
    'It did not run, and it will not run in another form. Do it another way, or tell the person what to run.',
  keeps_changing:
    'this did not run, because the files that it would run keep changing. Wait until they stop changing, then make the call again.',
  changed_after_edit:
    'this did not run: the person edited its arguments, and the files that it would run changed before it started. Make the call again. The person is then asked again.',
  edited_arguments_wrong: "the person's arguments do not match the schema. {why}",
  forbidden_by_rule: 'The person\'s rule "{rule}" forbids it.',
  placeholder_in_arguments:
    '{tool} was not run: its arguments contain the placeholder of redacted secret #{number}, not the value. Name the file or the variable that contains the value, or ask the person to show it to you.',
  redacted_gone:
    '{tool} was not run: Deepdesk no longer has the value of redacted secret #{number}. Read the file that contains it again first.',
  redacted_elsewhere:
    '{tool} was not run: redacted secret #{number} did not come from {path}, and is written only into the file that it came from. Let the program read it from there, or ask the person to allow it.',
  mcp_sign_in_needed: 'It needs a sign-in. The person can sign in in Settings, under MCP servers.',
  mcp_call_repeated:
    '{tool} was repeated {times} times, and the MCP server "{server}" still wants the person to open a page first.',
  mcp_call_page_unusable:
    'The MCP server "{server}" runs {tool} only after the person has opened a page, and it named none that can be opened. It was not run.',
  mcp_call_page_declined:
    'The MCP server "{server}" runs {tool} only after the person has finished on {host}. The person declined, so it was not run.',
  mcp_call_page_unanswered:
    'The MCP server "{server}" runs {tool} only after the person has finished on {host}. Nobody answered, so it was not run.',
} as const satisfies Partial<Record<ReasonCode, Entry>>;
