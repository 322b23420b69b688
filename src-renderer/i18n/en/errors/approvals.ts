/** Approvals, rules and secrets. */
export const approvals = {
  rule_gone: 'This rule no longer exists.',
  no_project_open: 'Open a project first.',
  call_not_pending: 'This call is no longer waiting for a decision.',
  mode_needs_confirmation: 'This mode asks less often than the current one. Confirm it first.',
  layer_gone: "The throwaway layer with the command's changes no longer exists.",
  own_key_or_gone: "This is one of Deepdesk's own keys, or it no longer exists.",
  no_such_secret: 'This thread has no such secret.',
  own_key: "This is one of Deepdesk's own keys, which it never shows.",
  secret_value_gone:
    "Deepdesk doesn't keep the values of secrets, and this one is no longer where it was seen.",
  secrets_need_confirmation: "This would send the project's secrets to the model. Confirm it first.",
  call_not_pending_nothing_ran: 'This call is no longer waiting for a decision. Nothing was run.',
  call_changed: 'The call has changed since it was shown. Check it again before you decide.',
  rule_refused: '{reason}',
  sandbox_unavailable: 'There is no sandbox here. {reason}',
} as const;
