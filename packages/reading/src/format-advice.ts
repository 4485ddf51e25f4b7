/** What a lesson about the form of decisions says, and what it is found by: the form hits every task alike. */
export const formatAdvice =
  'Send the bare action and nothing else: the environment executes the decision as it stands.';
