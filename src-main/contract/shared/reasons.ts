import { z } from 'zod';
import type { McpReasonValues } from './mcp-reasons';
import type { UpdateReasonValues } from './update-reasons';
import type { WarningReasonValues } from './warning-reasons';

/** A code without values. */
type None = Record<never, never>;

/**
 * Every reason that the main process gives a person, with the values for its text. The texts are in
 * `src-renderer/i18n/en/reasons` and the other languages beside it: no sentences here or in code that creates a reason.
 * Codes are stored in the database: do not rename released ones.
 */
export interface ReasonValues
  extends McpReasonValues<Reason>,
    UpdateReasonValues,
    WarningReasonValues<Reason> {
  /** Text that an older version stored instead of a code. */
  prose: { text: string };
  /** Text from another program or the system. */
  external: { text: string };

  // The decision about a call
  goes_on: None;
  changes_anything: None;
  unknown_tool: { tool: string };
  sends_to_remote_agent: None;
  sends_to_agent_at: { host: string };
  agent_asks: None;
  thread_holds_page: { name: string };
  thread_holds_result: { name: string };
  /** A host, or a program such as `curl`. */
  thread_holds_download: { name: string };
  thread_holds_attachment: { name: string };
  thread_holds_import: { name: string };
  /** Several of these, by name: the latest. */
  thread_holds_several: { names: string };
  reads_page: { host: string };
  page_address_invalid: None;
  page_address_scheme: None;
  page_address_credentials: None;
  page_address_own_network: None;
  path_not_text: None;
  path_traversal: { path: string };
  odd_characters: None;
  deletes_memories: None;
  deletes_from_folder: None;
  changes_file: None;
  changes_place: { place: string };
  deletes_from_place: { place: string };
  allowed_in_place: { place: string };
  changes_file_undoable: None;
  started_before: None;
  plan_mode: None;
  in_sandbox: None;
  in_read_only_sandbox: None;
  in_layer: None;
  not_rehearsed: { why: Reason };
  renames_folder_in_layer: None;
  other_owner_in_layer: None;
  sets_attributes_in_layer: None;
  sets_folder_mode_in_layer: None;
  rehearsed_for_nothing: None;
  outcome_lost: None;
  outcome_disk_full: None;
  outcome_not_kept: { code: string };
  outcome_time_up: None;
  still_running: { seconds: number };
  outcome_at_limit: None;
  outcome_lacked: None;
  outcome_file_beyond_undo: None;
  outcome_files_beyond_undo: { count: number };
  outcome_changed_repository: None;
  outcome_changed_folders: None;
  outcome_changed_package: None;
  outcome_changed_file: None;
  outcome_changed_files: { count: number };
  then_may_write: None;
  asks_all: None;
  do_otherwise: None;
  reading: None;
  read_is_sent: None;
  in_thread: None;
  changes_memory: None;
  memory_with_undo: None;
  wants_outside: None;
  runs_on: { machine: string };
  on_machine: { machine: string };
  no_such_machine: { place: string };
  run_on_again: { machine: string };
  no_sandbox_for_it: { why: Reason };
  no_sandbox_found: None;
  /** From an older version. */
  no_sandbox_here: None;
  forbidden_by_rule: { rule: string };
  allowed_by_rule: { rule: string };
  /** Some of the files. */
  may_run_auto_approved: { names: string };
  outside_routine: None;
  recorded_in_routine: None;
  a_rule_forbids: None;
  your_rules_allow: None;
  rule_asks: { rules: string };
  /** From an older version. */
  permission_denied: { operation: string; path: string };
  path_read_denied: { path: string };
  path_write_denied: { path: string };
  denied_by_path_rule: { rule: string };
  asked_by_path_rule: { rule: string };
  path_rules_need_sandbox: { why: Reason };
  attempt_failed: { exitCode: number };
  attempt_failed_unknown: None;
  attempt_wrote: { name: string };
  attempt_wrote_files: None;
  attempt_not_shown: { name: string };
  attempt_not_shown_all: None;
  attempt_not_permitted: None;
  attempt_no_network: { name: string };
  attempt_no_network_at_all: None;
  changed_since: None;
  not_run: { tool: string; why: Reason };
  tool_unknown: None;
  /** For the model; older versions also stored it for the person, as the next. */
  arguments_not_json: { detail: string };
  arguments_misfit: { detail: string };
  arguments_broken_json: None;
  arguments_wrong: { why: Reasons };
  arguments_too_many: None;
  sandbox_missing: None;
  keeps_changing: None;
  changed_after_edit: None;
  /** From an older version. */
  arguments_do_not_match: { problem: string };
  edited_arguments_wrong: { why: Reasons };
  no_outcome: None;
  run_by_others: None;
  holds_secrets: None;
  too_much_below: None;
  deleted_with: { path: string };
  mcp_tool: { server: string };
  mcp_destructive: None;
  mcp_read_only: None;
  placeholder_in_arguments: { tool: string; number: number };
  redacted_gone: { tool: string; number: number };
  redacted_elsewhere: { tool: string; number: number; path: string };

  // Why a change of a file would fail
  not_readable: None;
  folder_not_writable: { path: string };
  binary_file: { path: string };
  no_text_to_replace: None;
  text_not_found: None;
  changed_since_read: None;
  not_read_yet: None;
  text_found_often: { count: number };

  // Facts about a command's paths
  may_hold_secrets: { name: string };
  link_may_hold_secrets: { path: string; name: string };
  leads_to_own_data: { path: string };
  names_obeyed: { path: string };
  leads_unknown: { path: string };
  link_outside: { path: string; to: string };
  link_to_secrets: { path: string; to: string };
  own_data_below: { path: string };
  not_ordinary: { path: string };
  folder_with_links: { path: string };
  searches_too_much: None;
  searches_secrets: { path: string };

  // Actions that are never done for the agent
  other_user: None;
  writes_disk: None;
  runs_later_unseen: None;
  deletes_computer: None;
  deletes_all_of: { path: string };
  changes_rights_of: { path: string };
  runs_unseen: None;
  changes_own_data: None;
  writes_device: None;
  changes_system: None;
  changes_login: None;
  reads_own_data: None;
  reads_other_program: None;
  fills_computer: None;
  look_alike_name: None;

  // Constructs that hide what a command is
  not_shown_as_is: { why: Reason };
  nul_byte: None;
  carriage_return: None;
  control_characters: None;
  reading_order: None;
  invisible_characters: None;
  ends_code_block: None;
  too_many_lines: { count: number };
  too_many_characters: { count: number };
  false_blank: { blank: string };

  // How a line is parsed
  empty: None;
  not_understood: { why: Reason };
  syntax: { text: string };
  only_reads_folder: None;
  /** One command of a line and its effect */
  part: { text: string; why: Reason };
  pipeline_too_long: None;
  nested_too_deeply: None;
  read_differently: None;
  partly_read_differently: None;
  background: None;
  function: None;
  subshell: None;
  group: None;
  condition: None;
  repeats: None;
  choice: None;
  by_pattern: None;
  second_process: None;
  expression: None;
  computes: None;
  command_for_words: None;
  command_for_file: None;
  variable: None;
  braces: None;
  pattern: None;
  own_input: None;

  // Effects of one command of a line
  runs_another: { name: string };
  runs_unknown: { name: string };
  code_may_delete: { name: string };
  runs_program: { name: string };
  unknown_program: { name: string };
  name_unknown: None;
  name_in_pieces: None;
  writes_a_file: None;
  sets_variable: None;
  sets_variables: { names: string };
  redirects: { text: string };
  stands_for: { text: string };
  program_by_path: None;
  no_program: { name: string };
  program_of_folder: None;
  not_system_program: { path: string };
  writable_search_path: None;
  reads_outside: { path: string };
  only_reads: None;
  can_change: { name: string };
  option_not_reading: { name: string; option: string };
  too_many_operands: { name: string };
  find_option: { option: string };
  only_version: None;
  names_a_file: None;
  hidden_files_pattern: None;
  can_set_variable: None;
  can_set_clock: None;
  script_can_change: None;
  changes_directory: None;
  deletes_files: None;
  deletes_folders: None;
  deletes_a_file: None;
  destroys_files: None;
  empties_files: None;
  moves_files: None;
  copies_files: None;
  creates_link: None;
  creates_folders: None;
  creates_or_touches: None;
  writes_files: None;
  changes_permissions: None;
  changes_owner: None;
  ends_programs: None;
  uses_network: None;
  sends_to_network: None;
  downloads: None;
  runs_on_other_computer: None;
  copies_to_other_computer: None;
  may_copy_to_other_computer: None;
  controls_containers: None;
  controls_containers_and_files: None;
  controls_cluster: None;
  runs_makefile: None;
  runs_scripts: None;
  downloads_and_runs: None;
  installs_packages: None;
  shows_or_sets_variables: None;
  shows_variables: None;
  program_can_write: None;
  packs_files: None;
  writes_bytes: None;
  waits_for_keys: None;
  shows_schedule: None;
  runs_later: None;
  redefines_command: None;
  runs_file: None;
  sends_commits: None;
  deletes_untracked: None;
  can_discard_changes: None;
  discards_changes: None;
  downloads_repository: None;
  git_configuration: None;

  // Deletions by a line
  name_unknown_of: { text: string };
  passes_files: { runner: string; name: string };
  deletes_many: { count: number };
  deletes_unknown: { name: string; text: string };
  depends_on_folder: { text: string };
  moves_out: { name: string; text: string };
  deletes_everything: None;
  affects_folder: { command: string };
  deletes_repository: { path: string };
  git_cleans: None;
  discards_uncommitted: None;
  deletes_stashes: None;
  deletes_branches: None;
  deletes_commits: None;
  deletes_worktree: None;
  git_finds_by_pattern: None;
  git_elsewhere: None;
  decides_git: { text: string };
  can_decide_git: { text: string };
  program_deletes: { name: string };
  deletes_packed: { name: string };
  deletes_by_pattern: { text: string };

  // The coverage of a rule
  not_the_pattern: None;
  other_tool: None;
  other_host: None;
  other_words: None;
  turns_command: { text: string };
  not_stash: { command: string };
  runs_operand: { name: string; text: string };
  may_hold_options: { text: string };
  may_run_input: { name: string };
  may_name_computer: { text: string };
  names_place_outside: { text: string };

  // Why a rule is refused
  rule_every_command: None;
  rule_every_write: None;
  rule_every_change: None;
  rule_deletes: None;
  rule_no_host: None;
  rule_every_host: None;
  rule_anybodys_hosts: None;
  rule_no_program: { name: string };
  rule_runs_anything: { name: string };
  rule_always_asked: { name: string; why: Reason };
  rule_program_alone: { name: string };
  rule_option_first: { name: string; option: string };
  rule_unsafe_git: { command: string };
  rule_unsafe_package: { command: string };
  rule_unsafe_publish: { command: string };
  rule_unsafe_program: { command: string };
  rule_unsafe_account: { command: string };
  rule_every_script: { command: string };
  rule_npm_ci: None;
  rule_unknown_program: { name: string };
  rule_any_end: { command: string };
  rule_path_outside: None;
  rule_whole_folder: None;
  rule_protected_files: None;
  rule_none: None;
  rule_outside_folder: None;
  rule_other_machine: None;
  rule_job: None;
  rule_not_understood: None;
  rule_not_plain: { text: string };
  rule_several: None;
  rule_no_shell: None;

  // Why there is no sandbox, or what it lacks
  bubblewrap_missing: None;
  bubblewrap_fails: { why: Reason };
  sandbox_exec_missing: None;
  sandbox_exec_fails: { why: Reason };
  system_without_sandbox: None;
  macos_no_hosts: None;
  no_interpreter_for_hosts: None;
  system_calls_open: { why: Reason };
  namespaces_open: { why: Reason };
  no_temporary_space: None;
  no_filter_for_processor: { processor: string };
  own_tmp_not_writable: None;
  not_confined: None;
}

export type ReasonCode = keyof ReasonValues;

/** A value for the text of a reason. */
export type ReasonValue = string | number | Reason | readonly Reason[];

/** A reason without text: a code and the values for its text. */
export interface Reason {
  code: ReasonCode;
  /** By the name of their placeholder. Absent if the code takes none. */
  values?: Readonly<Record<string, ReasonValue>> | undefined;
}

/** The reason with that code. Codes without values take none; all others require all their values. */
export const because = <C extends ReasonCode>(
  code: C,
  ...[values]: [keyof ReasonValues[C]] extends [never] ? [] : [values: ReasonValues[C]]
): Reason => (values === undefined ? { code } : { code, values: values as Record<string, ReasonValue> });

export const ReasonValue: z.ZodType<ReasonValue> = z.lazy(() =>
  z.union([z.string(), z.number(), Coded, z.array(Coded)]),
);

/** An unknown code is kept, since a newer version wrote it. */
const Coded: z.ZodType<Reason> = z.object({
  code: z.string() as unknown as z.ZodType<ReasonCode>,
  values: z.record(z.string(), ReasonValue).optional(),
});

/** One clause. Texts stored by older versions stay unchanged. */
export const Reason = z.preprocess(
  (kept) => (typeof kept === 'string' ? because('prose', { text: kept }) : kept),
  Coded,
);

/** Sentences, the worst first. */
export const Reasons = z.preprocess(
  (kept) => (typeof kept === 'string' ? (kept === '' ? [] : [because('prose', { text: kept })]) : kept),
  z.array(Coded),
);
export type Reasons = Reason[];

/** The reason with each text in it changed: to redact a secret, for example. */
export const mapTexts = (reason: Reason, change: (text: string) => string): Reason => {
  if (reason.values === undefined) return reason;
  const mapped = (value: ReasonValue): ReasonValue => {
    if (typeof value === 'string') return change(value);
    if (typeof value === 'number') return value;
    return isList(value) ? value.map((one) => mapTexts(one, change)) : mapTexts(value, change);
  };
  const values = Object.entries(reason.values).map(([name, value]) => [name, mapped(value)]);
  return { ...reason, values: Object.fromEntries(values) };
};

const isList = (value: Reason | readonly Reason[]): value is readonly Reason[] => Array.isArray(value);
