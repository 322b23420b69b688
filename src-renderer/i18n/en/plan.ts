export const plan = {
  title: 'Plan',
  progress: '{done} of {total} done',
  pending: 'To do',
  inProgress: 'In progress',
  completed: 'Done',
  empty: 'When a task has several steps, the agent writes its plan here and ticks off what is done.',
} as const;
