/** The headless command. */
export const cli = {
  cli_no_thread:
    'There is no thread “{id}”. Check the id, and give --data-dir if the thread is in another data folder.',
  cli_no_message: 'There is no message to continue from.',
  cli_no_prompt: 'There is no prompt.',
  cli_decisions:
    'Too many decisions: pending calls: {waiting}, decisions: {given}. List the pending calls with --thread alone.',
  cli_no_such_call:
    'No pending call is named {call}: it was decided, or what it does has changed. List the pending calls with --thread {id}.',
  cli_call_name:
    'No call can be named "{call}". A name has {count} characters from 0-9 and a-f, as printed with the pending call.',
  cli_decide_first:
    'This thread is waiting for a decision. Give --decide, or reject the pending calls first.',
  cli_overtime: '--overtime must be stop or wait, not "{overtime}".',
  cli_approve: '--approve must be policy, all or none, not "{approve}".',
  cli_decide_needs_thread: '--decide needs --thread.',
  cli_decide_or_prompt: 'Give either --decide or a prompt, not both.',
  cli_thread_or_fork: 'Give either --thread or --fork, not both.',
  cli_thread_elsewhere: 'This thread works in {folder}. Leave --folder out, or start a new thread there.',
  cli_not_with_acp: '--acp cannot be combined with --{option}.',
  cli_acp_prompt: 'With --acp the editor sends the prompts.',
  cli_not_with_routine: 'A routine has its own settings, so it cannot be combined with {option}.',
  cli_no_routine: 'There is no routine “{name}”. --list-routines shows all of them.',
  cli_not_with_project: '--project cannot be combined with --{option}.',
  cli_no_project: 'There is no project “{name}”. Open it in the app first, or give --folder.',
  cli_projects_named: 'More than one project is named “{name}”. Give one of these instead: {names}.',
  cli_base_url: '--base-url must start with http:// or https://, not "{baseUrl}".',
  cli_decide_keep: '--decide keep: needs paths with commas between them, or a JSON list of paths.',
  cli_no_such_path: 'The command changed nothing at "{path}". Give paths as they are listed.',
  cli_nothing_to_keep: 'This call has not run, so there is nothing to keep. Give approve or reject.',
  cli_mode: '--mode must be ask, auto, plan or ask-all, not "{mode}".',
  cli_decide_edit: '--decide edit: needs the arguments as a JSON object.',
  cli_decide:
    '--decide must be approve, reject[:message], edit:JSON, respond:TEXT, keep[:PATHS], discard[:message], run, wait or again, not "{text}".',
  cli_usage: '{text}',
} as const;
