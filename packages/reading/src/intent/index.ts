export { searchTexts } from './search-texts.js';
