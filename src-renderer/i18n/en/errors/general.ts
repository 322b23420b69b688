/** Everywhere. */
export const general = {
  connection_lost:
    'The connection to Deepdesk was lost. Close this window and open it again. Everything saved is still there.',
  cancelled: 'Canceled.',
  input_refused: '{name}: {why}',
  text_too_long: 'This text is too long. Shorten it to {limit} characters, and try again.',
  internal: 'Something went wrong inside Deepdesk. Nothing was changed by this step.',
  unknown_command: 'There is no command “{name}”.',
  link_scheme: 'Only web and mail addresses can be opened from here.',
  no_windows: 'There are no windows here.',
  closing_nothing_started:
    'Deepdesk is closing. Nothing was started. Send it again after you restart Deepdesk.',
  consent_in_app_only: 'This needs your permission in a dialog that only the desktop app can show.',
  dialog_open_already: 'Deepdesk is already asking you something. Answer that dialog first.',
  you_cancelled: 'You canceled this. Nothing was changed.',
  cancelled_nothing_changed: 'Canceled. Nothing was changed.',
  closing: 'Deepdesk is closing.',
  not_connected: "Deepdesk isn't connected yet. Try again in a moment.",
  prose: '{text}',
  external: '{text}',
  unknown: "Something went wrong. This version of Deepdesk doesn't know the error {code}.",
  choose_in_window: 'Files can only be chosen in the window.',
  not_saved:
    "Deepdesk couldn't save this to its data folder, so nothing was changed. Make sure that the disk has space and can be written to, then try again.",
  update_not_ready: 'No new version is ready.',
  update_agent_at_work:
    'An agent, a command or a backup is still running. Wait until it is done, or stop it. The new version is installed when you quit.',
  not_saved_locked:
    "Deepdesk couldn't save this, so nothing was changed: another program is using its database. Close that program, then try again.",
} as const;
