export const terminals = {
  rerun_agent_only: "Only the agent's commands can be run again from here.",
  terminal_gone: 'This terminal no longer exists.',
  own_terminals_only: 'Only your own terminals can be restarted.',
  terminal_running: 'This terminal is still running.',
  folder_gone: 'The folder {folder} no longer exists.',
  no_terminal_opened: "The system couldn't open a terminal. Close some terminals and try again.",
  command_not_started: "Couldn't start the command.",
  terminal_input_full: "The program isn't reading its input. Wait, or interrupt it with Ctrl+C.",
  terminal_size: 'A terminal must have {least} to {most} columns and rows.',
} as const;
