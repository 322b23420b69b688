/** Everywhere. */
export const general = {
  connection_lost:
    'The connection to Deepdesk was lost. Close this window and open it again; nothing saved is lost.',
  cancelled: 'Cancelled.',
  input_refused: '{name}: {why}',
  internal: 'Something went wrong inside Deepdesk. Nothing was changed by this step.',
  unknown_command: 'There is no command "{name}".',
  link_scheme: 'Only web and mail addresses can be opened from here.',
  no_windows: 'There are no windows here.',
  closing_nothing_started: 'Deepdesk is closing. Nothing was started; send it again after the next start.',
  consent_in_app_only: 'This needs your consent in a dialog, which only the desktop app can show.',
  dialog_open_already: 'Deepdesk already asks you something. Answer that dialog first.',
  you_cancelled: 'You cancelled this. Nothing was changed.',
  cancelled_nothing_changed: 'Cancelled. Nothing was changed.',
  closing: 'Deepdesk is closing.',
  not_connected: 'Deepdesk is not connected yet. Try again in a moment.',
  prose: '{text}',
  external: '{text}',
  unknown: 'Something went wrong. This version of Deepdesk does not know the error {code}.',
  choose_in_window: 'Files can only be chosen in the window.',
  not_saved:
    'Deepdesk could not save this to its data folder, and did not do it. Make sure that the disk has space and can be written to, then try again.',
  update_not_ready: 'No new version is ready.',
  update_agent_at_work:
    'An agent or a command is still working. Wait until it is done, or stop it. The new version is installed when you quit.',
  not_saved_locked:
    'Deepdesk could not save this, and did not do it: another program holds its data file. Close that program, then try again.',
} as const;
