/** Terminals. */
export const terminals = {
  rerun_agent_only: 'Only commands of the agent are run again from here.',
  terminal_gone: 'This terminal no longer exists.',
  own_terminals_only: 'Only terminals of your own are started again.',
  terminal_running: 'This terminal still runs.',
  folder_gone: 'The folder {folder} no longer exists.',
  no_terminal_opened: 'The system could not open a terminal. Close some terminals and try again.',
  command_not_started: 'The command could not be started.',
  terminal_input_full: 'The program does not read what is typed. Wait, or interrupt it with Ctrl C.',
  terminal_size: 'A terminal has {least} to {most} columns and rows.',
} as const;
