import { elementsIn, taggedActions, withoutThoughts } from './tags.js';

const call = (verb: string, args: object) => expect.objectContaining({ verb, args });

describe('elementsIn', () => {
  it('reads names, values, attributes and what is inside', () => {
    expect(elementsIn(`a <b c="d" e='f'>g</b> <h=i>j</h> <k/>`)).toEqual([
      { name: 'b', attributes: { c: 'd', e: 'f' }, inside: 'g', start: 2, end: 22 },
      { name: 'h', value: 'i', attributes: {}, inside: 'j', start: 23, end: 33 },
      { name: 'k', attributes: {}, inside: '', start: 34, end: 38 },
    ]);
  });

  it('lets the end of the text close what holds something, and nothing else', () => {
    expect(elementsIn('<p>a')).toEqual([]);
    expect(elementsIn('<think>a').map(({ inside }) => inside)).toEqual(['a']);
    expect(elementsIn('<tool_call>a').map(({ inside }) => inside)).toEqual(['a']);
    expect(elementsIn('<bash>a').map(({ inside }) => inside)).toEqual(['a']);
    expect(elementsIn('<x=y>a').map(({ inside }) => inside)).toEqual(['a']);
  });

  it('matches every end with its own beginning', () => {
    expect(elementsIn('</b><b>1</b><c><b>2</b></c><b>3</b>').map(({ inside }) => inside)).toEqual([
      '1',
      '<b>2</b>',
      '3',
    ]);
  });
});

describe('withoutThoughts', () => {
  it.each(['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'scratchpad', 'reflection', 'THINK'])(
    'takes <%s> out',
    (tag) => {
      expect(withoutThoughts(`<${tag}> a </${tag}>b<${tag}>c</${tag}>`)).toEqual({ text: 'b', thoughts: ['a', 'c'] });
    },
  );

  it('takes out what only ends, or never does', () => {
    expect(withoutThoughts('a</think>b')).toEqual({ text: 'b', thoughts: ['a'] });
    expect(withoutThoughts('a</thinking>b')).toEqual({ text: 'b', thoughts: ['a'] });
    expect(withoutThoughts('<think>a')).toEqual({ text: '', thoughts: ['a'] });
    expect(withoutThoughts('<p>a</p>')).toEqual({ text: '<p>a</p>', thoughts: [] });
  });

  it('takes the marks of a model out', () => {
    expect(withoutThoughts('<|assistant|>ls<|im_end|>').text).toBe('ls');
    expect(withoutThoughts('<｜begin｜>ls').text).toBe('ls');
  });
});

describe('taggedActions', () => {
  it.each([
    ...['tool_call', 'tool_calls', 'tool_use', 'function_call', 'function_calls', 'function', 'invoke', 'tool'],
    ...['action', 'actions', 'call'],
  ])('reads what <%s> holds', (tag) => {
    expect(taggedActions(`<${tag}>{"name": "find", "arguments": {"row": 7}}</${tag}>`)).toEqual([
      call('find', { row: 7 }),
    ]);
    expect(taggedActions(`<${tag}>find it</${tag}>`)).toEqual([{ text: 'find it' }]);
    expect(taggedActions(`<${tag} name="find" row="7"/>`)).toEqual([call('find', { row: '7' })]);
  });

  it.each(['execute', 'execute_command', 'run', 'command', 'cmd', 'code'])('reads what <%s> executes', (tag) => {
    expect(taggedActions(`<${tag}>\nls\n</${tag}>`)).toEqual([expect.objectContaining({ text: 'ls' })]);
  });

  it.each([
    ['bash', 'command'],
    ['execute_bash', 'command'],
    ['sh', 'command'],
    ['terminal', 'command'],
    ['sql', 'sql'],
    ['python', 'code'],
    ['execute_ipython', 'code'],
  ])('knows what <%s> executes', (tag, as) => {
    expect(taggedActions(`<${tag}>x</${tag}>`)).toEqual([{ text: 'x', as }]);
  });

  it.each(['answer', 'final_answer'])('takes <%s> for the end', (tag) => {
    expect(taggedActions(`<${tag}>two</${tag}>`)).toEqual([{ text: 'two', as: 'finish' }]);
    expect(taggedActions(`<${tag}> </${tag}>`)).toEqual([]);
  });

  it.each(['name', 'tool', 'type', 'function'])('finds the tool in the attribute %s', (attribute) => {
    expect(taggedActions(`<action ${attribute}="find" id="1">{"row": 7}</action>`)).toEqual([call('find', { row: 7 })]);
  });

  it.each([
    ['<function=find><parameter=row>7</parameter></function>', { row: '7' }],
    ['<invoke name="find"><parameter name="row">7</parameter></invoke>', { row: '7' }],
    ['<invoke name="find"><row>7</row><near>[1]</near></invoke>', { row: '7', near: [1] }],
    ['<function=find>{"row": 7}</function>', { row: 7 }],
    ['<function=find>seven</function>', { 0: 'seven' }],
    ['<function=find></function>', {}],
    ['<tool_call><function=find><parameter=row>7</parameter></function></tool_call>', { row: '7' }],
    ['<tool_use><name>find</name><arguments>{"row": 7}</arguments></tool_use>', { row: 7 }],
    ['<find>seven</find>', { 0: 'seven' }],
  ])('reads the arguments in %j', (text, args) => {
    expect(taggedActions(text)).toEqual([call('find', args)]);
  });

  it('takes an element of several words with elements inside for a call', () => {
    expect(taggedActions('<water_bed><row>7</row></water_bed>')).toEqual([call('water_bed', { row: '7' })]);
    expect(taggedActions('<use_tool><tool_name>find</tool_name><arguments>{"row": 7}</arguments></use_tool>')).toEqual([
      call('find', { row: 7 }),
    ]);
    expect(taggedActions('<bed><row>7</row></bed>')).toEqual([]);
    expect(taggedActions('<water_bed>now</water_bed>')).toEqual([]);
    expect(taggedActions('<water_bed>now <row>7</row></water_bed>')).toEqual([]);
  });

  it('leaves what is part of a sentence, and markup of pages', () => {
    expect(taggedActions('Write <bash>ls</bash> there.')).toEqual([]);
    expect(taggedActions('<div><p>Hello</p></div>')).toEqual([]);
    expect(taggedActions('<select><option>a</option></select>')).toEqual([]);
    expect(taggedActions('See.\n  <bash>ls</bash>')).toEqual([{ text: 'ls', as: 'command' }]);
  });
});
