/** What a person should know of this run, why files were left out, and where input has another form than expected. */
export const warningReasons = {
  no_file_watches:
    'The system has no file watches left, so changes by other programs show up a few seconds late. Raise fs.inotify.max_user_watches to fix this.',
  safe_mode:
    'Safe mode is on: MCP servers and graphics acceleration are off, and windows of the last session are not restored. To leave it, quit Deepdesk and start it again.',
  chromium_sandbox_off: "Chromium's own sandbox is off, because it could not show a page in it.",
  chromium_refuses_root:
    "Chromium's own sandbox is off, because Chromium refuses it to root. Start Deepdesk as another user.",
  chromium_needs_namespaces:
    "Chromium's own sandbox is off, because this system keeps programs from making user namespaces.",
  chromium_needs_helper: "Chromium's own sandbox is off. To turn it on, run: {command}",
  database_damaged:
    'The database was damaged and could not be read. It is kept as {aside}, and Deepdesk has started with an empty one.',
  database_repaired:
    'The database was damaged. Deepdesk copied everything in it to a new one; only earlier command output may be missing. The damaged file is kept as {aside}. Check your disk, and make a backup.',
  database_held:
    "Another program is using Deepdesk's database. Nothing is lost: Deepdesk waits up to a minute to save, or asks you to try again. If this continues, close that program.",
  permissions_not_changed:
    'Other users of this computer may be able to read {file}: its permissions could not be changed.',
  setting_unreadable: 'The setting {name} could not be read. Its default is used until you set it again.',
  entry_unreadable:
    'An entry of {table} ({id}) could not be read and is left out. It is still in the database.',
  restore_data_in_use:
    'The backup was not restored: an editor or the headless command is using the data. Close it, and restore the backup again.',
  wipe_data_in_use:
    'Nothing was deleted: an editor or the headless command is using the data. Close it, and delete again.',
  backup_made: 'The backup was saved to {path} and verified.',
  backup_not_made: "The backup couldn't be saved to {path}. Make it again in Settings → Data to see why.",
  backup_restored: 'The backup was restored. The previous data is kept as {aside}.',

  servers_need_sign_in:
    'These MCP servers need a sign-in before their tools can be used: {names}. Sign in in Settings, under MCP servers.',
  servers_need_token:
    'These MCP servers need a sign-in, which the headless command cannot do: {names}. Give them a token in a variable, such as {example} in mcp.json.',
  folder_brings_hooks:
    'The folder {folder} has hooks, which run only after you allow their exact content. Review them in Settings, under Hooks.',
  hooks_file_unreadable: 'The file cannot be read ({code}).',
  hooks_file_outside: 'The file is outside the folder, or not a regular file.',
  hooks_file_too_large: 'The file is larger than {kilobytes} kB.',
  hooks_file_left_out: 'No hook in {path} runs until you correct the file. {why}',
  hooks_at_line: 'Line {line}: {why}',
  json_at: 'The file is not valid JSON: there is an error in line {line}, column {column}.',
  json_too_deep: 'Its objects and lists are nested too deeply.',
  hooks_name_twice: 'Two hooks are named “{hook}”.',
  hooks_tool_unknown: '“{hook}” names a tool that does not exist: {tool}.',
  hooks_pattern: '“{hook}” has a pattern that cannot be used: {pattern}.',
  hook_exit: 'It exited with code {code}. {errors}',
  hook_timeout: 'It took longer than {seconds} s and was stopped.',
  hook_garbage: 'It printed something other than the JSON that Deepdesk understands.',
  hook_too_long: 'It printed more than 64 kB.',
  hook_not_started: 'It could not be started: {problem}',
  hook_denied: 'The hook “{hook}” denied this call: {reason}',
  hook_denied_without_reason: 'The hook “{hook}” denied this call.',
  hook_failed_before: 'The hook “{hook}” failed, so this call was denied. {why}',
  folder_brings_servers:
    'The folder {folder} has MCP servers that start only with your permission: {names}. Review them in Settings.',
  server_files_changed:
    'Project files that your MCP servers run have changed, so these servers need your permission again: {names}. Review them in Settings.',

  file_left_out: '{path} was left out: {why}',
  file_not_loaded: '{path} was not loaded: {why}',
  agent_left_out: 'The agent in {path} was left out: {why}',
  agents_beyond: 'Only the first {count} agents in {path} can be used. The others were left out.',
  skills_beyond: 'Only the first {count} folders in {path} can be skills. The others were left out.',
  larger_than: 'it is larger than {megabytes} MB',
  cannot_be_read: 'it cannot be read',
  name_refused: 'memories cannot have this name',
  is_not_text: 'it is not text',
  is_not_utf8: 'it is not UTF-8 text',
  no_front_matter: 'it does not start with front matter between two lines of ---',
  front_matter_not_yaml: 'its front matter is not YAML ({detail})',
  front_matter_wrong: 'its front matter is not YAML: {why}',
  is_too_large: 'it is too large',
  is_denied: 'its permissions, or a link out of the folder, keep Deepdesk from reading it',
  nested_deep: 'it is nested too deeply',
  yaml_key_twice: 'it has a name twice',
  yaml_alias: 'it uses aliases, which are not allowed here',
  yaml_at: 'there is an error in line {line}, column {column}',
  yaml_colon: 'line {line}, column {column}, has a second colon. Put the value in quotes',
  failed_with: 'the error is “{text}”',
  front_matter_not_fields: 'its front matter is not a list of names and values',
  front_matter_dates: 'its front matter has an invalid date or author',
  skill_fields_missing: 'its front matter needs a name and a description',
  skill_name_form:
    '{path}: the name "{name}" should be at most 64 lower-case letters, digits and single hyphens.',
  skill_name_not_folder: '{path}: the name "{name}" should be that of its folder, "{folder}".',
  skill_description_cut: '{path}: the description was cut at {limit} characters.',
  agent_name_form:
    'its name must start with a letter or digit, and have at most 64 letters, digits, dots, hyphens and underscores',
  agent_description_missing: 'its front matter needs a description that says when to use it',
  agent_model_form: 'model must be written as provider:name, such as anthropic:claude-sonnet-4-6',
  agent_model_key: 'its model needs a key. Add the key, or set {variable} before you start Deepdesk',
  agent_model_elsewhere:
    '{path} asks for {model}, whose provider is not the one of your thread. The agent uses the model of the thread. To allow its own model, move the file to your own agents.',
  agent_model_address: "its model has no address. Enter the server's address in Settings",
  agent_tools_form: 'tools must be a list of names',
  agent_tools_unknown: '{path}: there are no such tools: {tools}.',
  agent_permissions_form:
    'permissions must be a list whose entries have operations (read, write), paths that start with / and contain no .. or ~, and a mode (allow, deny or interrupt)',
  agent_permissions_with_commands:
    'its permissions (line {line}) would not apply to commands. List its tools without execute, or limit the paths to memories and places',
  agent_text_missing: 'it has no instructions below the front matter',

  form_whole: 'The value',
  form_field: '"{path}"',
  form_type: '{field} must be {type}',
  form_text: 'text',
  form_number: 'a number',
  form_integer: 'a whole number',
  form_boolean: 'true or false',
  form_list: 'a list',
  form_object: 'an object',
  form_choice: '{field} must be one of these: {choices}',
  form_too_small: '{field} is too small. The limit is {limit}.',
  form_too_large: '{field} must be at most {limit}',
  form_not_above: '{field} must be greater than {limit}',
  form_not_below: '{field} must be less than {limit}',
  form_too_short: '{field} must have a length of at least {limit}',
  form_too_long: '{field} must have a length of at most {limit}',
  form_unknown_keys: '{field} has unknown keys: {keys}',
  form_missing: 'Missing: {names}',
  form_wrong: '{field} does not have the expected form',
} as const;
