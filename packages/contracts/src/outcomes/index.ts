export { type ArmOutcomes, type Interval, intervalOfShare, measureUplift, type Uplift } from './measure-uplift.js';
