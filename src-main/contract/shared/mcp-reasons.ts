/** A code without values. */
type None = Record<never, never>;

/** Why an MCP server or one of its tools cannot be used. `Reason` is the type in `reasons.ts`. */
export interface McpReasonValues<Reason> {
  // A file of servers
  mcp_file_missing: None;
  mcp_file_outside: None;
  mcp_file_not_regular: None;
  mcp_file_too_large: None;
  mcp_file_denied: None;
  mcp_file_unreadable: { code: string };
  mcp_file_without_servers: None;

  // An entry of such a file
  mcp_name_form: None;
  mcp_no_command: None;
  mcp_no_command_or_url: None;
  mcp_url_scheme: None;
  mcp_nul_character: None;
  mcp_too_many_words: None;
  mcp_name_taken: None;

  // What a run without a window goes without
  mcp_file_left_out: { path: string; why: Reason[] };
  mcp_server_left_out: { server: string; path: string; why: Reason[] };
  mcp_server_failed: { server: string; why: Reason[] };
  mcp_last_output: { line: string };

  // A server that does not start or is gone
  mcp_key_refused: None;
  mcp_sign_in_needed: None;
  mcp_program_missing: { command: string };
  mcp_program_failed: { command: string; code: string };
  mcp_message_too_large: None;
  mcp_exited: { status: string };
  mcp_killed: { signal: string };
  mcp_closed: None;
  mcp_unreachable: { code: string };
  mcp_slow_start: { seconds: number };
  mcp_unresponsive: None;
  mcp_foreign_answer: { type: string; text: string };
  mcp_empty_answer: { status: string };
  mcp_not_protocol: { line: string };
  mcp_stopped: None;
  mcp_files_changed: None;
  mcp_not_running: None;

  // A tool
  mcp_tool_form: None;
  mcp_tool_twice: None;
  mcp_tools_over_limit: { limit: number };
  mcp_tool_schema: None;
  mcp_tool_gone: { name: string };
  mcp_tool_name_of_deepdesk: { name: string };
  mcp_tool_name_of_server: { name: string; server: string };

  // A call that failed, followed by what is known of the server
  mcp_call_no_session: { server: string; tool: string };
  mcp_call_not_running: { server: string; tool: string };
  mcp_call_starts_again: { seconds: number };
  mcp_call_slow: { server: string; tool: string; seconds: number };
  mcp_call_sign_in_gone: { server: string; tool: string };
  mcp_call_lost: { server: string; tool: string };
  mcp_call_effect_unknown: None;
  mcp_call_says_nothing: { server: string; tool: string };
  mcp_call_repeated: { server: string; tool: string; times: number };
  mcp_call_page_unusable: { server: string; tool: string };
  mcp_call_page_declined: { server: string; tool: string; host: string };
  mcp_call_page_unanswered: { server: string; tool: string; host: string };

  // A question during a call
  mcp_server_asks: None;
  mcp_server_asks_secret: None;
  mcp_page_asked: None;
  mcp_page_first: None;
  mcp_page_finish: None;

  // A sign-in
  mcp_sign_in_not_renewed: None;
  mcp_sign_in_without_page: None;
  mcp_sign_in_page_unsafe: { address: string };
  mcp_sign_in_server_unsafe: { address: string };
  mcp_sign_in_without_token: None;
  mcp_sign_in_answer_too_large: { host: string };
}
