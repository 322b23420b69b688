/** Models and turns. */
export const models = {
  key_empty: 'The key is empty.',
  key_character: "“{character}” can't be part of a key. Copy the whole key again.",
  address_scheme: 'The address must start with http:// or https://.',
  address_with_login:
    "A server address can't contain a user name or a password. Remove everything before the @, then try again.",
  earlier_value_forgotten: 'The earlier value is no longer known.',
  unknown_provider: "Deepdesk doesn't know the provider “{provider}”. Nothing was changed.",
  no_such_tool: 'The agent has no tool named “{tool}”. Nothing was changed.',
  required_tool: 'The agent needs {tool}, because long results are saved to files. Nothing was changed.',
  unknown_model: "“{name}” isn't a model. Write provider:name, where the provider is one of {providers}.",
  key_missing:
    '{provider} needs a key. Your message is kept. Add a key, or set {variable} before you start Deepdesk, then try again.',
  address_missing:
    "{provider} has no address yet. Your message is kept. Enter the server's address (such as http://127.0.0.1:1234/v1), then try again.",
  not_an_address: "“{address}” isn't a server address. It must start with http:// or https://.",
  price_unknown:
    "The price of {model} is unknown, so Deepdesk can't apply your spending limit. The request wasn't sent, and your message is kept. Enter the price in Settings, remove the limit, or choose another model, then try again.",
  environment_key_not_sent:
    "The key in {variable} isn't sent to {address}: only the saved settings name that address. Your message is kept. Save the address again in Settings, or pass it with --base-url, then try again.",
  key_bound:
    "Your key for {provider} belongs to {bound} and isn't sent to {address}. Your message is kept. Enter the key again to use it there, then try again.",
  key_of_another_address:
    "Your key for {provider} belongs to another address and isn't sent to {address}. Your message is kept. Enter the key again to use it there, then try again.",
  thread_limit_reached:
    "This thread has spent {spent} of its limit of {ceiling}, and the next request may cost about {expected}. It wasn't sent, and your message is kept. Raise the limit in Settings, or choose a cheaper model, then try again.",
  day_limit_reached:
    "Deepdesk has spent {spent} of today's limit of {ceiling}, and the next request may cost about {expected}. It wasn't sent, and your message is kept. Raise the limit in Settings, or choose a cheaper model, then try again.",
  override_unusable: "The settings for this model can't be used. {why} Nothing was changed.",
  run_not_saved:
    "Deepdesk couldn't save to its data folder, so the agent was stopped. What was saved before is kept. Make sure that the disk has space and can be written to, then try again.",
  model_declined:
    'The model declined to answer this. Your message is kept, and nothing in the answer was run. Rephrase it, or choose another model.',
  thread_does_not_fit:
    "This thread no longer fits into the model's context window, even when it is compacted. Nothing was lost. Choose a model with a larger context window, or start a new thread.",
  instructions_name_unknown_tool:
    "Your instructions for this model name a tool that the agent doesn't have, so nothing was sent. Correct them in Settings, under Instructions, then try again.",
  unusable_calls:
    "The model asked several times in a row for calls that can't be run, so the agent was stopped. Nothing was lost. Try again, or choose another model.",
  too_many_steps:
    'The agent reached the limit of steps in one turn, so it was stopped. What it did is kept. Try again to let it continue, or tell it what to do differently.',
  stopped_by_person: 'You stopped the agent here.',
  interrupted:
    'Deepdesk was closed while the agent was working. Everything up to the last finished step is kept, and nothing that ran is repeated without asking.',
  deleted_at_work:
    'You deleted the thread or removed its project while the agent was working. Everything up to the last finished step is kept, and nothing that ran is repeated without asking.',
  run_failed: 'Something went wrong in Deepdesk itself. Your message is kept. Try again.',
  answer_at_limit:
    "The answer reached the model's maximum length, so its end is missing. Ask the agent to continue.",
  fell_back: "{from} couldn't answer. {to} answers in its place until this turn ends.",
  hook_failed: 'The hook “{hook}” failed. {why}',
  hooks_changed: 'The hooks changed. Review what they do now.',
  hooks_waiting:
    "This folder has hooks that you haven't allowed, so none of them runs. Review them in Settings, under Hooks.",
  answer_stopped:
    'The answer was stopped. The part that arrived is kept. To continue, try again or send a message.',
  stream_cut:
    'The connection to {provider} broke during the answer. The part that arrived is kept, and nothing in it was run. Try again.',
  thread_too_long:
    'The thread is too long for this model. Nothing is lost. Choose a model with a larger context window, or continue in a new thread.',
  provider_key_missing: '{provider} needs a key. Your message is kept. Add a key, then try again.',
  provider_key_missing_variable:
    '{provider} needs a key. Your message is kept. Add a key, or set {variable} before you start Deepdesk, then try again.',
  key_rejected:
    "{provider} didn't accept the key. Your message is kept. Check the key or enter another, then try again.",
  access_refused:
    '{provider} refused access (status {status}). Your message is kept. Its message is below. Check the key and the account, or choose another model, then try again.',
  no_credit:
    "The account at {provider} has no credit or quota left. Your message is kept. Check the account's plan and billing, or choose another model, then try again.",
  rate_limited:
    "{provider} isn't taking more requests right now. Your message is kept. Try again in a moment.",
  rate_limited_seconds: {
    one: "{provider} isn't taking more requests right now. Your message is kept. Try again in {count} second.",
    other:
      "{provider} isn't taking more requests right now. Your message is kept. Try again in {count} seconds.",
  },
  rate_limited_minutes: {
    one: "{provider} isn't taking more requests right now. Your message is kept. Try again in {count} minute.",
    other:
      "{provider} isn't taking more requests right now. Your message is kept. Try again in {count} minutes.",
  },
  overloaded:
    "{provider} can't answer right now: its service is overloaded or failing. Your message is kept. Try again in a moment, or choose another model.",
  overloaded_status:
    "{provider} can't answer right now: its service is overloaded or failing (status {status}). Your message is kept. Try again in a moment, or choose another model.",
  server_unreachable:
    "Couldn't reach {provider} at its address. Your message is kept. Check that the server is running and the address is right, then try again.",
  provider_unreachable:
    "Couldn't reach {provider}. Your message is kept. Check your internet connection, then try again.",
  provider_refused:
    '{provider} refused to answer this. Your message is kept. Rephrase it, or choose another model.',
  model_unknown:
    "{provider} doesn't know this model. Your message is kept. Choose another model, then try again.",
  model_unknown_or_no_answer:
    "{provider} doesn't know this model, or nothing answers at this address. Your message is kept. Choose another model, then try again.",
  call_garbled:
    "The model at {provider} wrote a tool call that can't be read. Nothing in it was run, and your message is kept. Try again, or choose another model.",
  request_rejected:
    "{provider} didn't accept the request. Your message is kept. Its message is below. Try again, or choose another model.",
  request_rejected_status:
    "{provider} didn't accept the request (status {status}). Your message is kept. Its message is below. Try again, or choose another model.",
  request_failed:
    'Something went wrong in Deepdesk itself. Your message is kept. Try again. If this happens again, the text below helps find the cause.',
  empty_answer: 'The model returned an empty answer. Nothing was lost. Try again, or choose another model.',
} as const;
