import { optional } from './shared/optional';
import type { Reason, ReasonCode, Reasons, ReasonValue } from './shared/reasons';

/** A code without values. */
type None = Record<never, never>;

/**
 * Every error that a person can see, with the values for its text. The texts are in `src-renderer/i18n/en/errors` and the
 * other languages beside it: no sentences here or in code that creates an error. Codes are stored in the database: do not
 * rename released ones.
 */
export interface ErrorValues {
  // Any part of the app
  connection_lost: None;
  cancelled: None;
  input_refused: { name: string; why: Reasons };
  text_too_long: { limit: number };
  internal: None;
  unknown_command: { name: string };
  link_scheme: None;
  no_windows: None;
  closing_nothing_started: None;
  consent_in_app_only: None;
  dialog_open_already: None;
  you_cancelled: None;
  cancelled_nothing_changed: None;
  closing: None;
  not_connected: None;
  prose: { text: string };
  external: { text: string };
  unknown: { code: string };
  choose_in_window: None;
  not_saved: None;
  not_saved_locked: None;
  update_not_ready: None;
  update_agent_at_work: None;

  // The headless command
  cli_no_thread: { id: string };
  cli_no_message: None;
  cli_no_prompt: None;
  cli_decisions: { given: number; waiting: number };
  cli_no_such_call: { call: string; id: string };
  cli_call_name: { call: string; count: number };
  cli_decide_first: None;
  cli_approve: { approve: string };
  cli_overtime: { overtime: string };
  cli_decide_needs_thread: None;
  cli_decide_or_prompt: None;
  cli_thread_or_fork: None;
  cli_thread_elsewhere: { folder: string };
  cli_not_with_acp: { option: string };
  cli_acp_prompt: None;
  cli_not_with_routine: { option: string };
  cli_no_routine: { name: string };
  cli_not_with_project: { option: string };
  cli_no_project: { name: string };
  cli_projects_named: { name: string; names: string };
  cli_base_url: { baseUrl: string };
  cli_decide_edit: None;
  cli_decide_keep: None;
  cli_nothing_to_keep: None;
  cli_no_such_path: { path: string };
  cli_mode: { mode: string };
  cli_decide: { text: string };
  cli_usage: { text: string };

  // Projects, folders and files
  diagrams_in_window_only: None;
  diagram_too_slow: None;
  not_a_diagram: None;
  nothing_to_drag: None;
  no_other_program: None;
  no_program_opened_it: None;
  agent_at_work_in_project: None;
  agent_at_work_in_copy: None;
  copy_being_made: None;
  copy_disk_full: { folder: string };
  copy_not_made: { folder: string };
  bring_in_disk_full: { folder: string };
  copy_contains_data: { folder: string };
  copy_of_copy: None;
  not_a_copy: None;
  copy_changed_since_shown: { path: string };
  copy_stays_here: None;
  move_into_itself: None;
  name_not_utf8: None;
  no_trash: None;
  in_system_trash: None;
  not_restored: { path: string };
  outside_project: { path: string };
  parts_out_of_order: None;
  larger_than_4_gb: { name: string };
  project_folder_itself: None;
  not_shown_as_media: None;
  pictures_in_window_only: None;
  picture_over_10_mb: None;
  picture_too_slow: None;
  picture_undrawable: None;
  picture_damaged: None;
  picture_too_large: None;
  not_text: None;
  text_over_10_mb: None;
  document_over_50_mb: None;
  document_unreadable: None;
  project_files_only: None;
  name_not_utf8_shown: None;
  project_not_listed: None;
  folder_listed: { name: string };
  project_not_restorable: None;
  folder_not_found: { folder: string };
  not_a_folder: { path: string };
  path_with_escape: { folder: string };
  whole_disk: None;
  file_not_changed_by_thread: None;
  agent_at_work: None;
  file_changed_since_shown: None;
  change_gone: None;
  message_gone: None;
  file_not_written: { path: string };
  path_gone: { path: string };
  folder_denied: { path: string };
  outside_or_linked: { path: string };
  project_folder_gone: { folder: string };
  project_folder_replaced: { folder: string };
  file_gone: { path: string };
  file_denied: { path: string };
  file_exists: { path: string };
  file_stale: { path: string };
  file_not_text: { path: string };
  file_special: { path: string };
  file_too_large: { path: string };
  file_timeout: { path: string };
  file_stopped: { path: string };
  file_unsupported: { path: string };
  file_storage: { path: string };
  file_path_refused: { path: string };
  file_offline: { path: string };
  file_failed: { path: string };

  // Git
  git_missing: None;
  git_no_repository: None;
  git_unsafe: None;
  git_extension: { name: string };
  git_timeout: None;
  git_output: None;
  git_failed: None;
  git_hook_failed: None;
  git_locked: None;
  git_would_lose: None;
  git_branch_exists: None;
  git_branch_name: None;
  git_no_identity: None;
  git_nothing_staged: None;
  git_conflicts: None;
  git_rejected: None;
  git_diverged: None;
  git_sign_in: None;
  git_unreachable: None;
  git_pushed: None;
  git_hooks_changed: None;
  git_detached: None;
  git_no_commits: None;
  git_no_remote: None;
  git_remote_inside: { remote: string };
  git_no_upstream: None;
  git_transfer_changed: None;
  git_discard_too_early: None;
  git_discard_lost: None;
  git_no_draft: None;

  // Threads, messages and attachments
  terminal_without_output: None;
  thread_without_changes: None;
  thread_gone: None;
  project_gone: None;
  thread_project_removed: None;
  attachment_too_large: { name: string; megabytes: number };
  attachments_too_large: { megabytes: number };
  attachment_not_saved: None;
  attachment_gone: None;
  attached_picture_too_large: None;
  attached_picture_damaged: None;
  import_not_json: None;
  import_not_thread: None;
  import_newer: None;
  import_damaged: None;
  import_message_twice: None;
  import_call_twice: None;
  fork_from_message: None;
  fork_files_not_copied: None;
  message_empty: None;
  file_unreadable: { path: string };
  thread_not_restorable: None;
  call_picture_too_large: None;
  picture_gone: None;
  part_gone: None;
  last_compaction_only: None;
  pin_messages_only: None;
  message_with_secret: None;
  attachment_with_secret: { name: string };
  attachment_not_kept: { name: string };
  message_sent_already: None;
  compacting_stopped: None;
  sub_agents_only: None;
  sub_agent_finished: None;
  nothing_to_retry: None;
  decision_not_allowed: { decision: string; allowed: string };
  edited_arguments: { names: string };
  answers_count: { count: number };
  answer_empty: { number: number };
  answer_not_a_choice: { number: number };
  answer_one_choice: { number: number };
  compact_after_turn: None;
  import_too_large: { megabytes: number };

  // Approvals, rules and secrets
  rule_gone: None;
  no_project_open: None;
  call_not_pending: None;
  mode_needs_confirmation: None;
  layer_gone: None;
  own_key_or_gone: None;
  no_such_secret: None;
  own_key: None;
  secret_value_gone: None;
  secrets_need_confirmation: None;
  call_not_pending_nothing_ran: None;
  call_changed: None;
  rule_refused: { reason: Reasons };
  sandbox_unavailable: { reason: Reasons };

  // Routines
  routine_gone: None;
  routine_name_taken: { name: string };
  routine_schedule_unclear: { text: string };
  routine_schedule_never: { text: string };
  routine_time_zone: { name: string };
  routine_still_running: { name: string };
  routine_needs_first_run: None;
  routine_cost_reached: { spent: string; budget: string };
  routine_tokens_reached: { used: number; budget: number };

  // Remote agents
  remote_agent_gone: None;
  remote_agent_name_taken: { name: string };
  remote_agent_address: None;
  remote_agent_denied: { host: string };
  remote_agent_none: { graph: string; host: string };
  remote_agent_protocol: { host: string };
  remote_agent_unreachable: { host: string };
  remote_task_gone: None;

  // Places
  place_gone: None;
  place_is_project: None;
  project_is_remote: { machine: string };
  project_machine_gone: { machine: string };
  project_path_taken: { path: string };
  place_path_taken: { path: string };
  place_path_reserved: { path: string };
  place_folder_gone: { folder: string };
  place_not_a_folder: { folder: string };
  place_folder_denied: { folder: string };
  place_rule_wrong: { glob: string };
  place_too_slow: { count: number };
  place_failed: None;
  place_no_tree: None;
  place_no_trash: None;
  place_other: None;
  place_host_unknown: { host: string; fingerprint: string };
  place_jump_password: { question: string };
  place_jump_unknown: { host: string; key: string };
  place_host_changed: { host: string };
  place_ssh_denied: { host: string };
  place_ssh_no_shell: { host: string };
  place_ssh_host: { host: string };
  place_ssh_missing: None;
  place_unreachable: { host: string };
  place_container_name: { container: string };
  place_container_gone: { container: string; engine: string };
  place_container_stopped: { container: string };
  place_container_denied: { engine: string };
  place_container_program: { engine: string };
  place_container_engine: { engine: string };
  place_team_address: None;
  place_team_password: None;
  place_team_denied: { host: string };
  place_team_rights: { database: string };
  place_team_no_database: { database: string };
  place_team_no_tls: { host: string };
  place_bucket_name: { bucket: string };
  place_bucket_endpoint: None;
  place_bucket_secret: None;
  place_bucket_key: { host: string };
  place_bucket_rights: { bucket: string };
  place_bucket_none: { bucket: string };
  place_bucket_region: { bucket: string; region: string };
  place_bucket_clock: { host: string };
  place_bucket_protocol: { host: string };
  place_hub_address: None;
  place_hub_repository: { repository: string };
  place_hub_no_key: None;
  place_hub_key: { host: string };
  place_hub_none: { repository: string };
  place_hub_protocol: { host: string };
  place_module_project: None;
  place_module_gone: { file: string };
  place_module_large: { file: string };
  place_module_changed: { file: string };
  place_module_no_node: None;
  place_module_shape: { file: string };
  place_module_failed: { file: string };
  place_module_ended: None;

  // Memories
  memory_exists_choose: { path: string };
  memory_edited_meanwhile: None;
  memory_exists: { path: string };
  nothing_to_undo: None;
  memory_changed_again: None;
  no_memory: { path: string };
  memory_needs_name: None;
  version_gone: None;
  version_gone_or_deleted: None;
  memory_changed_since_read: None;
  choose_folder_again: None;
  memories_changed: None;
  memories_need_a_team: None;
  folder_unusable: None;
  memory_name_refused: { name: string };

  // Terminals
  rerun_agent_only: None;
  terminal_gone: None;
  own_terminals_only: None;
  terminal_running: None;
  folder_gone: { folder: string };
  no_terminal_opened: None;
  command_not_started: None;
  terminal_input_full: None;
  terminal_size: { least: number; most: number };

  // Models and turns
  key_empty: None;
  key_character: { character: string };
  address_scheme: None;
  address_with_login: None;
  earlier_value_forgotten: None;
  unknown_provider: { provider: string };
  no_such_tool: { tool: string };
  required_tool: { tool: string };
  unknown_model: { name: string; providers: string };
  key_missing: { provider: string; variable: string };
  address_missing: { provider: string };
  not_an_address: { address: string };
  price_unknown: { model: string };
  environment_key_not_sent: { variable: string; address: string };
  key_bound: { provider: string; bound: string; address: string };
  key_of_another_address: { provider: string; address: string };
  thread_limit_reached: { spent: string; ceiling: string; expected: string };
  day_limit_reached: { spent: string; ceiling: string; expected: string };
  override_unusable: { why: Reasons };
  run_not_saved: None;
  model_declined: None;
  thread_does_not_fit: None;
  instructions_name_unknown_tool: None;
  unusable_calls: None;
  too_many_steps: None;
  interrupted: None;
  deleted_at_work: None;
  stopped_by_person: None;
  run_failed: None;
  answer_at_limit: None;
  fell_back: { from: string; to: string };
  hook_failed: { hook: string; why: Reasons };
  hooks_changed: None;
  hooks_waiting: None;
  answer_stopped: None;
  stream_cut: { provider: string };
  thread_too_long: None;
  provider_key_missing: { provider: string };
  provider_key_missing_variable: { provider: string; variable: string };
  key_rejected: { provider: string };
  access_refused: { provider: string; status: number };
  no_credit: { provider: string };
  rate_limited: { provider: string };
  rate_limited_seconds: { provider: string; count: number };
  rate_limited_minutes: { provider: string; count: number };
  overloaded: { provider: string };
  overloaded_status: { provider: string; status: number };
  server_unreachable: { provider: string };
  provider_unreachable: { provider: string };
  provider_refused: { provider: string };
  model_unknown: { provider: string };
  model_unknown_or_no_answer: { provider: string };
  call_garbled: { provider: string };
  request_rejected: { provider: string };
  request_rejected_status: { provider: string; status: number };
  request_failed: None;
  empty_answer: None;

  // MCP servers
  server_exists: { name: string };
  server_removed_meanwhile: { name: string };
  server_removed: { name: string };
  server_file_not_a_list: { path: string };
  server_file_not_written: { path: string };
  server_value_missing: { name: string };
  masked_argument: { mask: string };
  server_off: None;
  server_config_changed: None;
  nothing_to_sign_in: None;
  no_keychain: None;
  server_not_configured: None;
  browser_not_opened: None;
  sign_in_refused: None;
  sign_in_cancelled: None;
  sign_in_too_slow: None;
  sign_in_unknown_app: None;
  sign_in_failed: None;
  sign_in_not_kept: None;
  variables_not_set: { names: string };
  server_entry_unreadable: None;
  server_file_not_read: { path: string };
  server_program_missing: None;
  server_address_missing: None;
  server_variable_twice: None;
  not_a_variable_name: { name: string };
  not_a_header_name: { name: string };
  masked_address: { mask: string };
  keychain_refuses: { name: string };
  kept_value_gone: { name: string };
  value_not_kept: None;
  sign_in_mixed_up: None;
  server_says: { name: string; text: string };
  server_not_there: { name: string; why: Reasons };
  not_a_web_address: None;

  // Saved data
  data_folder_blocked: { path: string };
  data_folder_unwritable: None;
  copy_into_itself: None;
  data_itself: None;
  restore_in_window_only: None;
  no_backup_chosen: None;
  delete_in_window_only: None;
  delete_holds_home: { folder: string };
  data_job_running: None;
  folder_missing: { path: string };
  copy_incomplete: { names: string };
  copy_damaged: None;
  thread_run_elsewhere: None;
  database_newer: { file: string; version: number; known: number };
  not_a_backup: None;
  backup_unreadable_full: None;
  backup_unreadable: None;
  copy_failed_full: None;
  copy_failed: None;
  database_busy: { file: string };
  database_damaged_in_use: { file: string };
  database_disk_full: { file: string };
  database_denied: { file: string };
  database_disk_read_only: { file: string };
  database_not_opened: { file: string };
}

export type ErrorCode = keyof ErrorValues;

/** A code with its values. */
export interface ErrorText {
  code: string;
  values?: Readonly<Record<string, ReasonValue>> | undefined;
}

/** A code with exactly its values: the only way to create one. */
export const errorText = <C extends ErrorCode>(
  code: C,
  ...[values]: keyof ErrorValues[C] extends never ? [] : [values: ErrorValues[C]]
): ErrorText => (values === undefined ? { code } : { code, values });

/** An error as the reason of something else. Its text is found by its code, as that of a reason. */
export const reasonOf = ({ code, values }: ErrorText): Reason => ({
  code: code as ReasonCode,
  ...optional({ values }),
});

/** A code of both would have two texts. `prose` and `external` are the same in both. */
type Shared = Exclude<Extract<ErrorCode, ReasonCode>, 'prose' | 'external'>;
null satisfies [Shared] extends [never] ? null : Shared;
