export const rehearsal = {
  isHere: 'Commands run in a throwaway layer first. You then decide whether to keep what they changed.',
  limits:
    'Deepdesk stops a command that uses more than {disk} of disk space, {files} files, {processes} processes or {memory} of memory. It checks this several times per second, so a command can exceed a limit for a moment.',
  isMissing: "Deepdesk can't run commands in a throwaway layer here, so it asks before they run.",
  platform: 'This needs Linux.',
  no_sandbox: 'There is no sandbox on this system.',
  no_user_namespaces: "The system doesn't allow user namespaces.",
  no_overlay: "The system doesn't allow overlay mounts.",
  mounts_below: 'Another disk is mounted inside the folder.',
  case_folding: "File names in this folder aren't case-sensitive.",
  no_modes: "The folder's file system doesn't keep file permissions, as on a FAT, exFAT or NTFS disk.",
  no_links: "The folder's file system doesn't keep symbolic links.",
  file_system: "The folder's file system doesn't support it.",
  network_file_system: 'The folder is on a network file system.',
  contains_data_folder: "The folder contains Deepdesk's data folder.",
  data_folder_on_overlay: "Deepdesk's data folder is on a file system that doesn't support it.",
  failed: 'The test command failed.',
} as const;
