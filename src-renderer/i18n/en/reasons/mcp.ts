/** Why an MCP server or one of its tools cannot be used. */
export const mcpReasons = {
  mcp_file_missing: 'It does not exist.',
  mcp_file_outside: 'It links outside the folder.',
  mcp_file_not_regular: 'It is not a regular file.',
  mcp_file_too_large: 'It is too large for a list of servers.',
  mcp_file_denied: 'You are not allowed to read it.',
  mcp_file_unreadable: 'It could not be read ({code}).',
  mcp_file_without_servers: 'It has no "mcpServers" object with servers by name.',

  mcp_name_form: 'Its name must have 1 to 64 characters on one line.',
  mcp_no_command: 'It has no "command" to start.',
  mcp_no_command_or_url: 'It has neither a "command" nor a "url".',
  mcp_url_scheme: 'Its "url" is not an http or https address.',
  mcp_nul_character: 'It has a character that cannot be used (NUL).',
  mcp_too_many_words:
    'Its arguments and variables have more than 1,000 words, so Deepdesk cannot check which files of the folder it runs.',
  mcp_name_taken: 'You already have a server with this name, and yours is used. Rename one of them.',

  mcp_file_left_out: 'The MCP servers in {path} were left out. {why}',
  mcp_server_left_out: 'The MCP server “{server}” in {path} was left out. {why}',
  mcp_server_failed: "The MCP server “{server}” isn't running, so its tools are missing. {why}",
  mcp_last_output: 'Its last output: {line}',

  mcp_key_refused:
    'It refuses connections without a valid key. Create a token on its website and add it to the headers, such as Authorization: Bearer …',
  mcp_sign_in_needed: 'It needs a sign-in. You can sign in in Settings, under MCP servers.',
  mcp_program_missing: 'The program "{command}" was not found, or its folder does not exist.',
  mcp_program_failed: 'The program "{command}" could not be started ({code}).',
  mcp_message_too_large: 'It sent a message of more than 10 MB.',
  mcp_exited: 'It exited (code {status}).',
  mcp_killed: 'It was killed ({signal}).',
  mcp_closed: 'The connection was closed.',
  mcp_unreachable: 'It could not be reached ({code}).',
  mcp_slow_start: 'It did not answer within {seconds} s after it started.',
  mcp_unresponsive: 'It no longer answered and was stopped.',
  mcp_foreign_answer:
    "Its answer isn't a message of the protocol, but {type}: {text} Check the server's address.",
  mcp_empty_answer: "Its answer is empty (HTTP {status}). Check the server's address.",
  mcp_not_protocol: 'It printed lines that are not protocol messages, such as: {line}',
  mcp_stopped: 'It was stopped.',
  mcp_files_changed: 'A file that it runs has changed. It starts when you allow it again in the settings.',
  mcp_not_running: 'It is not running.',

  mcp_tool_form: 'Its description does not follow the protocol.',
  mcp_server_asks: 'Your answer goes to this MCP server. Its results for the model may contain it.',
  mcp_server_asks_secret:
    'It seems to ask for a secret, which MCP servers must not do in a form. Enter none unless you trust this server with it.',
  mcp_page_asked: 'The MCP server learns whether you opened the page, and nothing else.',
  mcp_page_first: 'The MCP server runs this call only after you have finished on the page.',
  mcp_page_finish:
    'The call is repeated when you continue, or when the MCP server reports that you have finished.',
  mcp_tool_twice: 'The server has two tools with this name.',
  mcp_tools_over_limit: 'Only the first {limit} tools of a server are offered.',
  mcp_tool_schema: 'The schema of its arguments is invalid.',
  mcp_tool_gone: 'The server no longer offers the tool "{name}".',
  mcp_tool_name_of_deepdesk: 'It would be called {name}, which is already a tool of Deepdesk.',
  mcp_tool_name_of_server: 'It would be called {name}, which is already a tool of the server "{server}".',

  mcp_sign_in_not_renewed: 'Its sign-in could not be renewed.',
  mcp_sign_in_without_page: 'It named no sign-in page.',
  mcp_sign_in_page_unsafe: 'It wants you to sign in at {address}, which is not secure.',
  mcp_sign_in_server_unsafe: 'The server wants the sign-in to go to {address}, which is not secure.',
  mcp_sign_in_without_token: 'It returned no token.',
  mcp_sign_in_answer_too_large: '{host} sent a response that is too large.',

  mcp_call_no_session: 'The MCP server "{server}" keeps no session, so {tool} was not run.',
  mcp_call_not_running: 'The MCP server "{server}" is not running, so {tool} was not run.',
  mcp_call_starts_again: 'A call after {seconds} s starts it again.',
  mcp_call_slow:
    'The MCP server "{server}" did not answer {tool} within {seconds} s and was told to stop. Whether it did anything is not known.',
  mcp_call_sign_in_gone: 'The MCP server "{server}" no longer accepts the sign-in, so {tool} was not run.',
  mcp_call_lost: 'The MCP server "{server}" stopped before it answered {tool}.',
  mcp_call_effect_unknown: 'Whether it did anything is not known.',
  mcp_call_says_nothing: '{tool} of the MCP server "{server}" failed without an error message.',
  mcp_call_repeated:
    '{tool} was repeated {times} times, and the MCP server "{server}" still wants you to open a page first.',
  mcp_call_page_unusable:
    'The MCP server "{server}" runs {tool} only after you have opened a page, and it named none that can be opened. It was not run.',
  mcp_call_page_declined:
    'The MCP server "{server}" runs {tool} only after you have finished on {host}. You declined, so it was not run.',
  mcp_call_page_unanswered:
    'The MCP server "{server}" runs {tool} only after you have finished on {host}. Nobody answered, so it was not run.',
} as const;
