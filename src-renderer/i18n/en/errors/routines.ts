export const routines = {
  routine_gone: 'This routine no longer exists.',
  routine_name_taken: 'Another routine is called “{name}”. Choose another name.',
  routine_schedule_unclear:
    "Deepdesk doesn't understand “{text}”. Try “every weekday at 9”, “every 2 hours”, “on the 1st at 08:30”, or a cron expression with five fields.",
  routine_schedule_never: '“{text}” never occurs. Choose another schedule.',
  routine_time_zone: 'There is no time zone “{name}”. Choose one from the list.',
  routine_still_running: "The last run of “{name}” hasn't finished. Finish or stop it first.",
  routine_needs_first_run: 'This routine needs a first run that you attend. Select Start first run.',
  routine_cost_reached:
    'This run has used {spent} of its budget of {budget}, and the next request would exceed it. Raise the budget in Routines to continue.',
  routine_tokens_reached:
    'This run has used {used} of its budget of {budget} tokens, and the next request would exceed it. Raise the budget in Routines to continue.',
} as const;
