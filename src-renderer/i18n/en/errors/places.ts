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
  place_host_unknown:
    'The computer {host} is new. Its key is {fingerprint}. Compare it with the key that its owner gave you, then trust it.',
  place_host_changed:
    'The key of {host} has changed. Somebody may be listening, or the computer was set up again. Ask its owner before you remove the old key from known_hosts.',
  place_ssh_denied: '{host} does not let you in. Check the user name, your key, and your SSH agent.',
  place_ssh_host: '“{host}” is not a host. Enter a name of your SSH configuration or user@host.',
  place_ssh_missing: 'The OpenSSH client is not installed. Install it, then try again.',
  place_unreachable: '{host} cannot be reached. Check the network and the name.',
  place_team_address: 'This is not the address of a database. Example: postgresql://user@host:5432/database',
  place_team_password:
    'Enter the password in its own field, where it is kept in the keychain. Remove it from the address.',
  place_team_denied: '{host} does not let you in. Check the user name and the password.',
  place_team_rights: 'You have no permission to use the memories in the database {database}. Ask its owner.',
  place_team_no_database: 'There is no database {database}. Check the address.',
  place_team_no_tls: '{host} does not support TLS. Set it up there, or add ?sslmode=disable to the address.',
  place_read_only: '{path} is in a read-only place.',
} as const;
