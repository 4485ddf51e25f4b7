import { plain, stemOfWritten } from './task-words.js';

/** `except` leaves out part of what is named ("other than"). `not` negates what follows or precedes it. */
export type ExceptionKind = 'except' | 'not';

export interface ExceptionRow {
  /** One or two words. */
  words: string;
  kind: ExceptionKind;
  example: string;
  /** A task about what the example leaves out. */
  differs: string;
  /** A task that leaves out the same. */
  alike: string;
}

function except(words: string, example: string, differs: string, alike: string): ExceptionRow {
  return { words, kind: 'except', example, differs, alike };
}

function not(words: string, example: string, differs: string, alike: string): ExceptionRow {
  return { words, kind: 'not', example, differs, alike };
}

const shortestStem = 4;

/** Matched by stem: "exclude" covers "excluding". */
export const exceptionRows: readonly ExceptionRow[] = [
  except('except', 'Stop all jobs except nightly ones', 'Stop nightly jobs', 'Stop all jobs but not nightly ones'),
  except('exclude', 'List users excluding admins', 'List admins', 'List users except admins'),
  except('other than', 'Drop tables other than visits', 'Drop the table visits', 'Drop tables except visits'),
  except('apart from', 'Drop tables apart from visits', 'Drop the table visits', 'Drop tables except visits'),
  except('aside from', 'Drop tables aside from visits', 'Drop the table visits', 'Drop tables except visits'),
  except('outside', 'Sales outside March', 'Sales in March', 'Sales except in March'),
  except('besides', 'Drop tables besides visits', 'Drop the table visits', 'Drop tables except visits'),
  except('unless', 'Restart it unless busy', 'Restart it if busy', 'Restart it except when busy'),
  except('skip', 'Copy it skipping the cache', 'Copy the cache', 'Copy it except the cache'),
  except('omit', 'Copy it and omit the cache', 'Copy the cache', 'Copy it except the cache'),
  except('ignore', 'Count lines and ignore comments', 'Count comments', 'Count lines except comments'),
  except('spare', 'Move it and spare the cache', 'Move the cache', 'Move it except the cache'),
  except('instead of', 'Indent with tabs instead of spaces', 'Indent with spaces', 'Indent with tabs, not spaces'),
  except('rather than', 'Indent with tabs rather than spaces', 'Indent with spaces', 'Indent with tabs, not spaces'),
  except('außer', 'Drucke alles außer Berichte', 'Drucke Berichte', 'Drucke alles ausgenommen Berichte'),
  except('ausgenommen', 'Drucke alles ausgenommen Berichte', 'Drucke Berichte', 'Drucke alles außer Berichte'),
  except('sauf', 'Imprime tout sauf les rapports', 'Imprime les rapports', 'Imprime tout, pas les rapports'),
  except('excepto', 'Imprime todo excepto informes', 'Imprime informes', 'Imprime todo salvo informes'),
  except('salvo', 'Imprime todo salvo informes', 'Imprime informes', 'Imprime todo excepto informes'),
  except('tranne', 'Stampa tutto tranne fatture', 'Stampa fatture', 'Stampa tutto eccetto fatture'),
  except('eccetto', 'Stampa tutto eccetto fatture', 'Stampa fatture', 'Stampa tutto tranne fatture'),
  except('exceto', 'Imprime tudo exceto faturas', 'Imprime faturas', 'Imprime tudo menos faturas'),
  except('behalve', 'Print alles behalve facturen', 'Print facturen', 'Print alles uitgezonderd facturen'),
  except('uitgezonderd', 'Print alles uitgezonderd facturen', 'Print facturen', 'Print alles behalve facturen'),
  not('not', 'Lines that do not mention tea', 'Lines that mention tea', 'Lines without mention of tea'),
  not('no', 'Owners with no pets', 'Owners with pets', 'Owners without pets'),
  not('never', 'Guests who never paid', 'Guests who paid', 'Guests who have not paid'),
  not('none of', 'Print none of the totals', 'Print the totals', 'Print no totals'),
  not('non', 'List non-admin users', 'List admin users', 'List users that are not admin'),
  not('without', 'Rows without a price', 'Rows with a price', 'Rows with no price'),
  not('lacking', 'Rows lacking a price', 'Rows with a price', 'Rows with no price'),
  not('avoid', 'Plan a trip avoiding tolls', 'Plan a trip with tolls', 'Plan a trip without tolls'),
  not('nicht', 'Zeilen, die nicht Tee nennen', 'Zeilen, die Tee nennen', 'Zeilen ohne Tee'),
  not('kein', 'Kunden, die keinen Hund haben', 'Kunden, die Hund haben', 'Kunden ohne Hund'),
  not('ohne', 'Kunden ohne Konto', 'Kunden mit Konto', 'Kunden, die kein Konto haben'),
  not('nie', 'Kunden, die nie zahlten', 'Kunden, die zahlten', 'Kunden, die nicht zahlten'),
  not('pas', 'Les clients qui ne paient pas', 'Les clients qui paient', 'Les clients qui ne paient jamais'),
  not('jamais', 'Les clients qui ne paient jamais', 'Les clients qui paient', 'Les clients qui ne paient pas'),
  not('sans', 'Les clients sans compte', 'Les clients avec compte', 'Les clients avec aucun compte'),
  not('aucun', 'Les clients avec aucun compte', 'Les clients avec compte', 'Les clients sans compte'),
  not('sin', 'Clientes sin cuenta', 'Clientes con cuenta', 'Clientes con ninguna cuenta'),
  not('nunca', 'Clientes que nunca pagan', 'Clientes que pagan', 'Clientes que no pagan'),
  not('ninguna', 'Clientes con ninguna cuenta', 'Clientes con cuenta', 'Clientes sin cuenta'),
  not('ningún', 'Clientes con ningún hijo', 'Clientes con hijo', 'Clientes sin hijo'),
  not('não', 'Clientes que não pagam', 'Clientes que pagam', 'Clientes que nunca pagam'),
  not('sem', 'Clientes sem conta', 'Clientes com conta', 'Os clientes sem conta'),
  not('senza', 'Clienti senza conto', 'Clienti con conto', 'I clienti senza conto'),
  not('niet', 'Klanten die niet betalen', 'Klanten die betalen', 'Klanten die nooit betalen'),
  not('nooit', 'Klanten die nooit betalen', 'Klanten die betalen', 'Klanten die niet betalen'),
  not('geen', 'Klanten met geen hond', 'Klanten met hond', 'Klanten zonder hond'),
  not('zonder', 'Klanten zonder hond', 'Klanten met hond', 'Klanten met geen hond'),
  not('bez', 'Klienci bez konta', 'Klienci i konta', 'Klienci (bez konta)'),
  not('inte', 'Kunder som inte betalar', 'Kunder som betalar', 'De kunder som inte betalar'),
  not('ikke', 'Kunder som ikke betaler', 'Kunder som betaler', 'De kunder som ikke betaler'),
  not('değil', 'Faturalar ödenmiş değil', 'Faturalar ödenmiş', 'Tüm faturalar ödenmiş değil'),
];

/** Marks of negation in scripts that are not read word by word. */
const marksElsewhere =
  /(?<![\p{L}\p{M}])(?:не|нет|ни|ні|без|δεν|μη|χωρίς|לא|אין|בלי|غير|لا|لم|لن|ليس|بدون|عدم|न|नहीं|बिना|मत|안|못)(?![\p{L}\p{M}])|[不没沒未非無无勿]|ない|ません|なく|않|없|아니|지\s?마|ไม่/gu;
const negatedWord = /(?<!\p{L})(?:не|غير|ال?لا)(\p{L}{4,})/gu;

/** Whether one of two texts negates what the other does not: `не оплачено`, `未付款`, `неоплаченные`. */
export function negationsDiffer(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => text.match(marksElsewhere)?.length ?? 0);
  return one !== other || negatesWordOf(a, b) || negatesWordOf(b, a);
}

function negatesWordOf(a: string, b: string): boolean {
  return [...a.matchAll(negatedWord)].some(([word, positive = '']) => {
    const stem = positive.slice(0, shortestStem);
    return !b.includes(word.slice(0, -positive.length) + stem) && b.includes(stem);
  });
}

const byWords = new Map(exceptionRows.map(({ words, kind }) => [plain(words), kind]));
const byStems = new Map(exceptionRows.map(({ words, kind }) => [words.split(' ').map(stemOfWritten).join(' '), kind]));

/** Looks up one or two words, as written and as stems. */
export function exceptionKindOf(words: string, stems: string): ExceptionKind | undefined {
  // Short stems are ambiguous: "note" is not "not".
  return byWords.get(words) ?? (stems.length < shortestStem ? undefined : byStems.get(stems));
}
