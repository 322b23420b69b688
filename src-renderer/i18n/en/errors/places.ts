/** Places. */
export const places = {
  place_gone: 'This place is not there any more.',
  place_path_taken: 'Another place is already at {path}. Choose another path.',
  place_path_reserved: '{path} is in use already. Choose another path.',
  place_folder_gone: 'The folder {folder} is not there. Check the path, or attach its disk.',
  place_not_a_folder: '{folder} is not a folder. Choose a folder.',
  place_folder_denied: 'You have no permission to open {folder}.',
  place_rule_wrong: 'The pattern “{glob}” cannot be read. Correct it.',
  place_too_slow: {
    one: 'The place did not answer within {count} second.',
    other: 'The place did not answer within {count} seconds.',
  },
  place_failed: 'The connection failed.',
  place_read_only: '{path} is in a read-only place.',
} as const;
