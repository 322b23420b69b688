/** Saved data. */
export const data = {
  data_folder_blocked:
    'Deepdesk needs a folder at {path}, but something else is there. Move it away, then start Deepdesk again.',
  data_folder_unwritable:
    'Nothing can be written to the data folder. Make sure that the disk has space and can be written to, then start Deepdesk again.',
  copy_into_itself: "You can't copy a folder into itself.",
  data_itself: 'This is the data folder itself. Choose another location.',
  restore_in_window_only: 'You can only restore data in the window.',
  no_backup_chosen: 'Choose a backup first.',
  delete_holds_home:
    "The data folder {folder} contains your home folder, so Deepdesk doesn't delete it. Delete Deepdesk's files there yourself.",
  delete_in_window_only: 'You can only delete data in the window.',
  data_job_running: 'Deepdesk is already copying or testing data. Wait until it is done.',
  folder_missing: "The folder {path} doesn't exist. Choose another location.",
  copy_incomplete: 'The copy is incomplete ({names}), so it was deleted. Try again.',
  copy_damaged: "The copy is damaged and wasn't used. Choose another one.",
  thread_run_elsewhere: 'Another Deepdesk is running this thread. Wait until it is done, or stop it there.',
  database_newer:
    "The database {file} was written by a newer Deepdesk (format {version}, this one reads {known}). Update Deepdesk to open it. The file wasn't changed.",
  not_a_backup: "This file isn't a Deepdesk backup, or it is damaged. Your data wasn't changed.",
  backup_unreadable_full:
    "Couldn't read the file: the disk is full. Free some space or choose another location. Your data wasn't changed.",
  backup_unreadable:
    "Couldn't read the file. Check its folder and permissions, or choose another one. Your data wasn't changed.",
  copy_failed_full:
    "Couldn't make the copy: the disk is full. Free some space or choose another location. Your data wasn't changed.",
  copy_failed:
    "Couldn't make the copy. Check the folder and its permissions, or choose another one. Your data wasn't changed.",
  database_busy:
    "Couldn't open the database {file}: another program is using it. Close the other Deepdesk and try again.",
  database_damaged_in_use:
    'The database {file} is damaged, and another Deepdesk is using it. Close every Deepdesk, then start it again to repair the file.',
  database_disk_full: "Couldn't open the database {file}: the disk is full. Free some space and try again.",
  database_denied:
    "Couldn't open the database {file}: you have no permission to write there. Check the permissions of the file and its folder.",
  database_disk_read_only:
    "Couldn't open the database {file}: its disk is read-only. Make the disk writable, or choose another data folder.",
  database_not_opened: "Couldn't open the database {file}. Check the file and its folder.",
} as const;
