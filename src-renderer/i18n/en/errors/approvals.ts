/** Approvals, rules and secrets. */
export const approvals = {
  rule_gone: 'This rule is not there any more.',
  no_project_open: 'Open a project first.',
  call_not_pending: 'This call no longer waits for a decision.',
  mode_needs_confirmation: 'This mode asks less than the one that is set. Confirm it first.',
  layer_gone: 'What the command did there is no longer kept.',
  own_key_or_gone: 'This is one of Deepdesk’s own keys, or is not there any more.',
  no_such_secret: 'There is no such secret in this thread.',
  own_key: 'This is one of Deepdesk’s own keys. It is shown nowhere.',
  secret_value_gone:
    'Deepdesk does not keep the values of secrets, and this one is no longer where it was seen.',
  secrets_need_confirmation: 'Secrets of this project would be sent to the model. Confirm it first.',
  call_not_pending_nothing_ran: 'This call no longer waits for a decision. Nothing was run.',
  call_changed: 'The call has changed since it was shown. Check it again before you decide.',
  rule_refused: '{reason}',
  sandbox_unavailable: 'There is no sandbox here. {reason}',
} as const;
