/** Models and turns. */
export const models = {
  key_empty: 'The key is empty.',
  address_scheme: 'The address must begin with http:// or https://.',
  earlier_value_forgotten: 'What was there before is forgotten already.',
  unknown_provider: '"{provider}" names no provider that Deepdesk knows. Nothing was changed.',
  no_such_tool: 'The agent has no tool named "{tool}". Nothing was changed.',
  required_tool: 'The agent cannot do without {tool}: long results are put into files. Nothing was changed.',
  unknown_model: '"{name}" names no model. Write provider:name, where the provider is one of {providers}.',
  key_missing:
    '{provider} needs a key, and there is none yet. Your message is kept. Add a key, or set {variable} before Deepdesk is started, then try again.',
  address_missing:
    "{provider} has no address yet. Your message is kept. Enter the server's address (such as http://127.0.0.1:1234/v1), then try again.",
  not_an_address: '"{address}" is not a server address. It must begin with http:// or https://.',
  price_unknown:
    'The price of {model} is not known, so your spending limit cannot be kept with it. The request was not sent, and your message is kept. Enter the price in the settings, remove the limit, or choose another model, then retry.',
  environment_key_not_sent:
    'The key in {variable} is not sent to {address}: only the saved settings name that address. Your message is kept. Save the address again in the settings, or pass it with --base-url, then try again.',
  key_bound:
    'Your key for {provider} belongs to {bound} and is not sent to {address}. Your message is kept. Enter the key again to use it there, then try again.',
  key_of_another_address:
    'Your key for {provider} belongs to another address and is not sent to {address}. Your message is kept. Enter the key again to use it there, then try again.',
  thread_limit_reached:
    'This thread has spent {spent} of the {ceiling} that it may, and the next request may cost about {expected}. It was not sent, and your message is kept. Raise the limit in the settings, or choose a cheaper model, then retry.',
  day_limit_reached:
    'Today Deepdesk has spent {spent} of the {ceiling} that it may, and the next request may cost about {expected}. It was not sent, and your message is kept. Raise the limit in the settings, or choose a cheaper model, then retry.',
  override_unusable: 'The facts of this model cannot be used. {why} Nothing was changed.',
  run_not_saved:
    'Deepdesk could not save to its data folder, so the agent was stopped. What was saved before is kept. Make sure that the disk has space and can be written to, then retry.',
  model_declined:
    'The model declined to answer this. Your message is kept, and no step of the answer was run. Put it in other words, or choose another model.',
  thread_does_not_fit:
    'This thread does not fit the model any more, even when it is compacted. Nothing was lost. Choose a model with a larger context window, or begin a new thread.',
  instructions_name_unknown_tool:
    'Your instructions for this model name a tool that the agent does not have, so nothing was sent. Correct them in the settings, under Instructions, then retry.',
  unusable_calls:
    'The model asked several times in a row for calls that cannot be run, so the agent was stopped. Nothing was lost. Retry, or choose another model.',
  too_many_steps:
    'The agent took as many steps as one turn may have and did not come to an end, so it was stopped. What it did is kept. Retry to let it go on, or tell it what to do differently.',
  interrupted:
    'Deepdesk was closed while the agent was working. Everything up to the last finished step is kept, and nothing that ran is repeated without asking.',
  run_failed: 'Something went wrong in Deepdesk itself. Your message is kept. Retry to go on.',
  fell_back: '{from} could not answer. {to} answers in its place until this turn ends.',
  hook_failed: 'The hook “{hook}” failed. {why}',
  hooks_changed: 'The hooks changed. Review what they do now.',
  hooks_waiting:
    'This folder has hooks that you have not allowed, so none of them runs. Review them in the settings, under Hooks.',
  answer_stopped: 'The answer was stopped. What came of it is kept. Send a message or retry to go on.',
  stream_cut:
    'The connection to {provider} broke in the middle of the answer. What came is kept, and no step of it was run. Retry to ask again.',
  thread_too_long:
    'The thread has become too long for this model. Nothing is lost. Choose a model with a larger context, or go on in a new thread.',
  provider_key_missing:
    '{provider} needs a key, and there is none yet. Your message is kept. Add a key, then retry.',
  provider_key_missing_variable:
    '{provider} needs a key, and there is none yet. Your message is kept. Add a key, or set {variable} before Deepdesk is started, then retry.',
  key_rejected:
    '{provider} did not accept the key. Your message is kept. Check the key or enter another, then retry.',
  no_credit:
    "The account at {provider} has no credit or quota left. Your message is kept. Check the account's plan and billing, or choose another model, then retry.",
  rate_limited:
    '{provider} takes no more requests for the moment. Your message is kept. Retry in a little while.',
  rate_limited_seconds: {
    one: '{provider} takes no more requests for the moment. Your message is kept. Retry in {count} second.',
    other:
      '{provider} takes no more requests for the moment. Your message is kept. Retry in {count} seconds.',
  },
  rate_limited_minutes: {
    one: '{provider} takes no more requests for the moment. Your message is kept. Retry in {count} minute.',
    other:
      '{provider} takes no more requests for the moment. Your message is kept. Retry in {count} minutes.',
  },
  overloaded:
    '{provider} cannot answer right now: its service is overloaded or has a fault. Your message is kept. Retry in a little while, or choose another model.',
  overloaded_status:
    '{provider} cannot answer right now: its service is overloaded or has a fault (status {status}). Your message is kept. Retry in a little while, or choose another model.',
  server_unreachable:
    '{provider} could not be reached at its address. Your message is kept. Check that the server is running and the address is right, then retry.',
  provider_unreachable:
    '{provider} could not be reached. Your message is kept. Check the connection to the Internet, then retry.',
  provider_refused:
    '{provider} refused to answer this. Your message is kept. Put it in other words, or choose another model.',
  model_unknown:
    '{provider} does not know this model. Your message is kept. Choose another model, then retry.',
  model_unknown_or_no_answer:
    '{provider} does not know this model, or nothing answers at this address. Your message is kept. Choose another model, then retry.',
  call_garbled:
    'The model at {provider} wrote a tool call that could not be read. None of it was run, and your message is kept. Retry to ask again, or choose another model.',
  request_rejected:
    '{provider} did not accept the request. Your message is kept. Its own words are below; retry, or choose another model.',
  request_rejected_status:
    '{provider} did not accept the request (status {status}). Your message is kept. Its own words are below; retry, or choose another model.',
  request_failed:
    'Something went wrong in Deepdesk itself. Your message is kept. Retry; if it happens again, the text below helps to find the cause.',
  empty_answer: 'The model gave an empty answer. Nothing was lost; ask it again, or choose another model.',
} as const;
