export { type ArmOutcomes, intervalOfShare, measureUplift, type Uplift } from './measure-uplift.js';
export * from './messages/index.js';
export * from './rest/index.js';
