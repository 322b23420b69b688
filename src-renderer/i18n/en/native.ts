/** Texts of the main process: notifications, system dialogs and the first menu. */
export const native = {
  // Notifications
  pendingDecisions: { one: 'A decision is waiting for you', other: '{count} decisions are waiting for you' },
  inThread: '{title}: {text}',
  writes: 'write {path}',
  deletes: 'delete {path}',
  awaitsInput: 'A command is waiting for your answer',
  finished: 'The agent is done',
  failed: "The agent couldn't continue",
  taskDone: '{agent} has finished a task',
  taskFailed: "{agent} couldn't finish a task",
  untitled: 'New thread',

  // Shown in the browser after a sign-in
  signedIn: 'You are signed in. You can close this page and go back to Deepdesk.',
  notSignedIn: "You aren't signed in. Deepdesk shows the reason, and you can try again there.",

  // Quitting during work
  quitQuestion: 'Quit while the agent is working?',
  quitThreads: {
    one: 'The agent is working in {count} thread.',
    other: 'The agent is working in {count} threads.',
  },
  quitJobs: {
    one: 'The agent has {count} background job running.',
    other: 'The agent has {count} background jobs running.',
  },
  quitStops: 'Quitting stops this. Finished work is kept, and each thread can continue later.',
  quitBackupQuestion: 'Quit while a backup is being made?',
  quitBackup: 'Quitting cancels the backup, and no file of it is left.',
  stay: 'Keep working',
  quit: 'Quit',

  // Opening a link outside the app
  linkQuestion: 'Open this address in the browser?',
  cancel: 'Cancel',
  open: 'Open',

  // Folders dropped on a window
  dropQuestion: {
    one: 'Open the dropped folder as a project?',
    other: 'Open the {count} dropped folders as projects?',
  },
  andMore: { one: 'and {count} more', other: 'and {count} more' },
  doNotOpen: "Don't open",
  openFolder: 'Open folder',

  // Dialogs for folders and files
  chooseFolder: 'Choose a folder',
  saveFile: 'Save as',
  chooseFile: 'Choose a file',
  files: 'Files: {extensions}',
  comma: ', ',

  // While the database is prepared
  slowData: 'Deepdesk is checking its database',
  slowDataDetail:
    'It is repaired if it is damaged. This may take a minute. Your threads appear as soon as it is done.',
  ok: 'OK',

  // When nothing can be shown
  noWindow: "Deepdesk can't show its window",
  noWindowDetail:
    'The window crashed several times in a row. Messages, decisions and changes are saved. Only unsent text may be lost. Safe mode starts without MCP servers and graphics acceleration.',
  restartSafely: 'Restart in safe mode',
  notNow: 'Not now',
  noStart: "Deepdesk can't start",
  noStartDetail:
    '{message}\n\nYour data is in {folder}; nothing there was deleted. If this happens again, run {command}.',

  // The menu bar before a window has sent its own
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  window: 'Window',
} as const;
