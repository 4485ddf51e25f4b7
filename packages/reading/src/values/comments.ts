import type { Action } from '../actions/action.js';

const comments = {
  command: /('[^']*'|"(?:[^"\\]|\\.)*")|(?<=^|[\s;&|(])#(?!!)[^\n]*/g,
  sql: /('[^']*'|"[^"]*")|--[^\n]*|\/\*[\s\S]*?\*\//g,
  code: /('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)|(?<=^|\s)(?:#|\/\/) [^\n]*|\/\*[\s\S]*?\*\//g,
};

/** An action without its comments, which run nothing but may tell anything; text in a here-document stays. */
export function uncommented(action: Action): Action {
  const { kind, text } = action;
  if ((kind !== 'command' && kind !== 'sql' && kind !== 'code') || text.includes('<<')) return action;
  const bare = text.replace(comments[kind], (found, literal: string | undefined) =>
    literal === undefined ? '' : found,
  );
  return bare === text
    ? action
    : {
        ...action,
        text: bare
          .replace(/[ \t]+$/gm, '')
          .replace(/\n{2,}/g, '\n')
          .trim(),
      };
}
