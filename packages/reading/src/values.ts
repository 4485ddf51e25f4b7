export { shapeOfAction } from './action-shape.js';
export { identifyingValues, maskCode, maskText } from './masking.js';
export { valuesOf } from './task-values.js';
