/** A code without values. */
type None = Record<never, never>;

/** What a person should know of this run, and why files were left out. `Reason` is the type in `reasons.ts`. */
export interface WarningReasonValues<Reason> {
  // The system and the saved data
  no_file_watches: None;
  chromium_sandbox_off: None;
  chromium_refuses_root: None;
  chromium_needs_namespaces: None;
  /** A shell command. */
  chromium_needs_helper: { command: string };
  safe_mode: None;
  database_damaged: { aside: string };
  database_repaired: { aside: string };
  database_held: None;
  permissions_not_changed: { file: string };
  setting_unreadable: { name: string };
  entry_unreadable: { table: string; id: string };
  backup_restored: { aside: string };
  backup_made: { path: string };
  backup_not_made: { path: string };
  restore_data_in_use: None;
  wipe_data_in_use: None;

  // MCP servers
  servers_need_sign_in: { names: string };
  servers_need_token: { names: string; example: string };
  folder_brings_servers: { folder: string; names: string };
  server_files_changed: { names: string };

  // Hooks
  folder_brings_hooks: { folder: string };
  hooks_file_unreadable: { code: string };
  hooks_file_outside: None;
  hooks_file_too_large: { kilobytes: number };
  hooks_file_left_out: { path: string; why: Reason[] };
  hooks_at_line: { line: number; why: Reason[] };
  json_at: { line: number; column: number };
  json_too_deep: None;
  hooks_name_twice: { hook: string };
  hooks_tool_unknown: { hook: string; tool: string };
  hooks_pattern: { hook: string; pattern: string };
  hook_exit: { code: string; errors: string };
  hook_timeout: { seconds: number };
  hook_garbage: None;
  hook_too_long: None;
  hook_not_started: { problem: string };
  hook_denied: { hook: string; reason: string };
  hook_denied_without_reason: { hook: string };
  hook_failed_before: { hook: string; why: Reason };

  // Files of skills, agents and memories
  file_left_out: { path: string; why: Reason };
  file_not_loaded: { path: string; why: Reason };
  agent_left_out: { path: string; why: Reason };
  agents_beyond: { path: string; count: number };
  skills_beyond: { path: string; count: number };
  larger_than: { megabytes: number };
  cannot_be_read: None;
  name_refused: None;
  is_not_text: None;
  is_not_utf8: None;
  no_front_matter: None;
  /** From an older version. */
  front_matter_not_yaml: { detail: string };
  front_matter_wrong: { why: Reason };
  is_too_large: None;
  is_denied: None;
  nested_deep: None;
  yaml_key_twice: None;
  yaml_alias: None;
  yaml_at: { line: number; column: number };
  yaml_colon: { line: number; column: number };
  failed_with: { text: string };
  front_matter_not_fields: None;
  front_matter_dates: None;
  skill_fields_missing: None;
  skill_name_form: { path: string; name: string };
  skill_name_not_folder: { path: string; name: string; folder: string };
  skill_description_cut: { path: string; limit: number };
  agent_name_form: None;
  agent_description_missing: None;
  agent_model_form: None;
  agent_model_key: { variable: string };
  agent_model_address: None;
  agent_model_elsewhere: { path: string; model: string };
  agent_tools_form: None;
  agent_tools_unknown: { path: string; tools: string };
  agent_permissions_form: None;
  agent_permissions_with_commands: { line: number };
  agent_text_missing: None;

  // Input of another form than expected
  form_whole: None;
  form_field: { path: string };
  form_type: { field: Reason; type: Reason };
  form_text: None;
  form_number: None;
  form_integer: None;
  form_boolean: None;
  form_list: None;
  form_object: None;
  form_choice: { field: Reason; choices: string };
  form_too_small: { field: Reason; limit: number };
  form_too_large: { field: Reason; limit: number };
  form_not_above: { field: Reason; limit: number };
  form_not_below: { field: Reason; limit: number };
  form_too_short: { field: Reason; limit: number };
  form_too_long: { field: Reason; limit: number };
  form_unknown_keys: { field: Reason; keys: string };
  form_missing: { names: string };
  form_wrong: { field: Reason };
}
