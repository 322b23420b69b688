/** Saved data. */
export const data = {
  data_folder_unwritable:
    'Nothing can be written to the data folder. Make sure that the disk has space and can be written to, then start Deepdesk again.',
  copy_into_itself: 'A folder cannot be copied into itself.',
  data_itself: 'This is the data itself. Choose another place.',
  restore_in_window_only: 'Data is restored in the window only.',
  no_backup_chosen: 'No backup was chosen yet. Choose one first.',
  delete_holds_home:
    "The data folder {folder} holds your home folder, so Deepdesk doesn't delete it. Delete Deepdesk's files there yourself.",
  delete_in_window_only: 'Data is deleted in the window only.',
  data_job_running: 'Deepdesk is copying or testing data already. Wait until that has ended.',
  folder_missing: 'The folder {path} is not there. Choose another place.',
  copy_incomplete: 'The copy is not complete ({names}). It was not kept; try again.',
  copy_damaged: 'The copy is damaged and was not used. Choose another.',
  thread_run_elsewhere: 'Another Deepdesk is running this thread. Wait until it is done, or stop it there.',
  database_newer:
    'The data file {file} was written by a newer Deepdesk (format {version}, this one knows {known}). Update Deepdesk to open it; the file was not changed.',
  not_a_backup: 'This file is no backup of Deepdesk, or it is damaged. Your data was not changed.',
  backup_unreadable_full:
    'The file could not be read: the disk is full. Free some space or choose another place. Your data was not changed.',
  backup_unreadable:
    'The file could not be read: check the place and its permissions, or choose another. Your data was not changed.',
  copy_failed_full:
    'The copy could not be made: the disk is full. Free some space or choose another place. Your data was not changed.',
  copy_failed:
    'The copy could not be made: check the place and its permissions, or choose another. Your data was not changed.',
  database_busy:
    'The data file {file} could not be opened: another program holds it. Close the other Deepdesk and try again.',
  database_disk_full:
    'The data file {file} could not be opened: the disk is full. Free some space and try again.',
  database_denied:
    'The data file {file} could not be opened: this user may not write there. Check the permissions of the file and its folder.',
  database_not_opened: 'The data file {file} could not be opened: check the file and the folder it is in.',
} as const;
