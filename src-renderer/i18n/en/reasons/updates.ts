/** Why there is no new version of the app, and what to do. */
export const updateReasons = {
  update_unreachable: "Couldn't reach the update server ({code}). Check the network, then select Check now.",
  update_too_slow: 'The update server sent almost nothing for {seconds} seconds. Check again later.',
  update_redirected:
    'The update server redirected the request to another server, so nothing was downloaded. Check your network: some sign-in pages of public networks do this.',
  update_answer: 'The update server answered with status {status}. Check again later.',
  update_no_feed: 'The update server has no list of versions. Check again later.',
  update_signature_missing:
    'The list of versions has no signature, so nothing was downloaded. Check again later.',
  update_signature_wrong:
    "The signature of the list of versions is wrong: somebody may have changed it. Nothing was downloaded. If this keeps happening, get the new version from the project's website.",
  update_feed_form:
    "This version of Deepdesk cannot read the list of versions. Get the new version from the project's website.",
  update_feed_expired:
    "The list of versions from {date} is not valid today. Check this computer's clock. If it is right, get the new version from the project's website.",
  update_feed_replayed:
    'The update server sent an older list of versions than before, so nothing was downloaded. Check again later.',
  update_not_for_system: 'Version {version} has no package for this computer.',
  update_wrong_size: 'The download has the wrong size, so it was deleted. Select Check now to try again.',
  update_wrong_contents:
    'The downloaded file is not the one that the project signed, so it was deleted. Select Check now to try again.',
  update_disk_full: 'The disk is full. Free some space, then select Check now.',
  update_folder_read_only:
    'You cannot write to {folder}, where Deepdesk is. Move Deepdesk to one of your own folders, or replace it by hand.',
  update_app_moved:
    "Deepdesk's program file was moved, renamed or replaced since it started. Restart Deepdesk, then check again.",
  update_failed: "Couldn't prepare the new version ({problem}). Select Check now to try again.",
} as const;
