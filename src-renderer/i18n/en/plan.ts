export const plan = {
  title: 'Plan',
  progress: '{done} of {total} done',
  pending: 'To do',
  inProgress: 'In progress',
  completed: 'Done',
  empty: 'For longer tasks, the agent writes a plan here and checks off each step.',
} as const;
