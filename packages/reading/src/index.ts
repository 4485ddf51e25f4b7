export * from './actions/action.js';
export { onlyPoints } from './actions/call-names.js';
export { readLiteral, writeLiteral } from './actions/literals.js';
export { countNamed, mayBeName } from './actions/named-operands.js';
export { actionHash, normalForm, objectsOf } from './actions/normal-form.js';
export { operationWords } from './actions/operations.js';
export {
  firstOfBareWords,
  type ReadingContext,
  readActions,
  readExample,
  readingContext,
} from './actions/read-actions.js';
export {
  closingLine,
  detailLabels,
  formatAdvice,
  headOf,
  openingLine,
  teamHead,
  withoutAdviceMarks,
} from './echo/advice-marks.js';
export { ownWords, withoutAdvice } from './echo/own-words.js';
export { asksFor, onlyReads } from './effects/asked-effects.js';
export { effectsOf, exampleActions } from './effects/effects.js';
export { reduceToIntent } from './intent/reduce-to-intent.js';
export { estimateTokens } from './intent/scan-units.js';
export { ownContext, ownTask } from './intent/search-texts.js';
export { memoizeByText } from './memoize-by-text.js';
export { withoutCourtesy, withoutOpening, withoutSpeaker } from './senses/preamble.js';
export { asksForFacts } from './senses/questions.js';
export { directionsDiffer, hasOtherRole, rolesDiffer } from './senses/roles.js';
export { readSenses, type Senses } from './senses/sense-reading.js';
export { type Agreement, compareReadings, compareSenses } from './senses/senses.js';
export { isForeignWord } from './senses/task-words.js';
export { isPlainCommand, isProgram } from './shell/known-programs.js';
export { looksLikeShell, readShell, type ShellCommand } from './shell/shell.js';
export { readSql, type SqlStatement } from './sql/sql.js';
export * from './text.js';
export { shapeOfAction, shapeOfReply } from './values/action-shape.js';
export { uncommented } from './values/comments.js';
export { monthOf } from './values/dates.js';
export { occursIn, standsBeside } from './values/task-values.js';
export { identifyingValues, maskText } from './values/values.js';
export * from './words.js';
