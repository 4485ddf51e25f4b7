const call = /^[A-Za-z_][\w.]{0,60}\(\s?\{/;
const textValue = /"(\w{1,60})"\s?:\s?"((?:[^"\\]|\\.){0,300})"/g;
const numberValue = /"(\w{0,60}(?:amount|price|total|number|code|zip|_id|count))"\s?:\s?-?\d[\d.]{0,20}/g;
const belongsToOne = /name|street|city|address|phone|mail|birth|\bdob\b|origin|destination|code|(?:^|_)id$/i;
const listOfTexts = /"(\w{1,60})"\s?:\s?\[\s?"[^"\\]{0,200}"(?:\s?,\s?"[^"\\]{0,200}"){0,40}\s?\]/g;
const repeatedObject = /(\{[^{}]{1,300}\})(?:\s?,\s?\1)+/g;

/**
 * A tool call as another task can use it: with the names of its arguments and the words chosen from a few, and without the
 * ids, dates, names and amounts of the one it was made for. What is no tool call stays as it is.
 */
export function shapeOfCalls(example: string): string {
  return example
    .split('\n')
    .map((line) => (call.test(line) ? shapeOf(line) : line))
    .join('\n');
}

function shapeOf(line: string): string {
  return line
    .replace(textValue, (pair, name: string, value: string) =>
      /\d|@/.test(value) || belongsToOne.test(name) ? `"${name}":"…"` : pair,
    )
    .replace(listOfTexts, (list, name: string) =>
      /\d|@/.test(list.slice(name.length + 2)) || belongsToOne.test(name) ? `"${name}":["…"]` : list,
    )
    .replace(numberValue, '"$1":…')
    .replace(repeatedObject, '$1,…');
}
