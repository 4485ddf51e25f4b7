import type { Action } from './action.js';
import {
  contentOf,
  isBesideCall,
  isCommonVerb,
  isThought,
  isToolName,
  keyNamed,
  onlyPoints,
  operationIn,
  pointsAtScreen,
  roleOf,
  wordsOf,
} from './call-names.js';
import { readActions } from './read-actions.js';

describe('names of tools', () => {
  it.each(['search', 'get_user', 'mcp__files-read', 'tools/call', 'a:b', '$load', 'größe'])('%j can be one', (name) => {
    expect(isToolName(name)).toBe(true);
  });

  it.each(['', 'two words', '7up', 'a'.repeat(81), 'a(b)', 7, null])('%j can not', (name) => {
    expect(isToolName(name)).toBe(false);
  });

  it('have words', () => {
    expect(wordsOf('getUser_by-id2Name')).toEqual(['get', 'user', 'by', 'id2', 'name']);
  });

  it.each(
    'add book buy call cancel check click close copy create delete drop edit execute fetch find get go goto insert list look lookup make move navigate open pick press put query read remove run save scroll search select send set show start stop take turn type update use view visit wait write'.split(
      ' ',
    ),
  )('can begin with %s', (verb) => {
    expect(isCommonVerb(`${verb}_beds`)).toBe(true);
    expect(isCommonVerb(`beds_${verb}`)).toBe(false);
  });
});

describe('the operation given to a general tool', () => {
  it.each(['light.turn_on', 'users:list', 'cache.getEntry'])('is %s', (name) => {
    expect(operationIn({ 0: name, 1: { a: 1 } })).toBe(name);
    expect(operationIn({ service: name, data: {} })).toBe(name);
  });

  it.each(['create_issue', 'GMAIL_SEND_EMAIL'])('is %s where the argument is for one', (name) => {
    expect(operationIn({ server: 'here', tool: name, arguments: {} })).toBe(name);
    expect(operationIn({ 0: name, 1: { a: 1 } })).toBeUndefined();
    expect(operationIn({ name, data: {} })).toBeUndefined();
  });

  it.each([
    'light.kitchen',
    'mira.novak',
    'send.mira',
    'call_mira',
    'open-letter-to-mira',
    'list',
    'turn on',
    'T-81442.turn_on',
    'https://example.org/list',
  ])('is not %s', (value) => {
    expect(operationIn({ 0: value, 1: { a: 1 } })).toBeUndefined();
  });

  it('has an object of arguments', () => {
    expect(operationIn({ 0: 'light.turn_on' })).toBeUndefined();
    expect(operationIn({ 0: 'light.turn_on', 1: null, 2: ['light.kitchen'] })).toBeUndefined();
  });
});

describe('a call that only points', () => {
  it.each([
    'click(selector="#a3f")',
    'click_element_by_index({"index": 17})',
    '{"action": "click", "x": 300, "y": 512, "double": false}',
    '{"action_type": "tap", "coordinate": [3, 5]}',
    'browser_click({"element": "Save button", "ref": "e12"})',
    'click("//div[3]/a")',
    'click [12]',
  ])('is %s', (text) => {
    expect(onlyPoints(readActions(text)[0] as Action)).toBe(true);
  });

  it.each([
    'click("Save")',
    'click()',
    'goto(url="/orders")',
    'press({"keys": "Enter"})',
    'input_text({"index": 3, "text": "tea"})',
    'get_order(17)',
    'get_order({"order_id": 17})',
    'search[tea]',
    'GET /orders?index=3',
  ])('is not %s', (text) => {
    expect(onlyPoints(readActions(text)[0] as Action)).toBe(false);
  });
});

describe('roles of calls', () => {
  it('belong to calls that do nothing else', () => {
    expect(roleOf('submit_answer', { answer: '42' })).toBe('finish');
    expect(roleOf('complete_task', { task_id: 7 })).toBeUndefined();
    expect(roleOf('send_message_to_user', { text: 'Which size?' })).toBe('reply');
    expect(roleOf('send_message', { channel: 'ops', text: 'Deploying.' })).toBeUndefined();
    expect(roleOf('think', { thought: 'The cheaper one is sold out.' })).toBe('think');
    expect(roleOf('think', { model: 'large' })).toBeUndefined();
  });

  it.each([
    ...['finish', 'finished', 'done', 'submit', 'final', 'stop', 'complete', 'completed', 'completion', 'terminate'],
    ...['exit', 'end', 'finish_task', 'final_answer', 'attempt_completion', 'agent_finish', 'FinishAction'],
    ...['final_response', 'final_result', 'end_run', 'end_episode'],
  ])('%s ends a run', (verb) => {
    expect(roleOf(verb, {})).toBe('finish');
  });

  it.each([
    ...['respond', 'reply', 'say', 'tell', 'ask', 'message', 'msg', 'answer', 'reply_to', 'tell_user', 'ask_human'],
    ...['tell_customer', 'send_message', 'ask_question', 'ask_followup', 'MessageAction', 'message_response'],
  ])('%s says something', (verb) => {
    expect(roleOf(verb, { text: 'a' })).toBe('reply');
  });

  it.each([
    ...['think', 'thought', 'thinking', 'reason', 'reflect', 'reflection', 'scratchpad', 'ThinkAction', 'think_tool'],
    'think_step',
  ])('%s thinks', (verb) => {
    expect(roleOf(verb, {})).toBe('think');
  });

  it.each([
    [
      'finish',
      '0 answer result response text message content value output outputs summary success status reason thought',
    ],
    ['say', '0 content message text msg question response answer options reasoning'],
    ['think', '0 thought thoughts content text reasoning'],
  ])('%s may have what belongs to it', (verb, keys) => {
    for (const key of keys.split(' ')) expect(roleOf(verb, { [key]: 'a' })).toBeDefined();
    expect(roleOf(verb, { bed: 'a' })).toBeUndefined();
  });

  it.each(['task', 'stop_pump', 'user', 'send', 'tool'])('%s alone has none', (verb) => {
    expect(roleOf(verb, {})).toBeUndefined();
  });

  it.each('answer result response text message content question msg value output summary thought 0'.split(' '))(
    'what is said stands under %s',
    (key) => {
      expect(contentOf({ [key]: 'a' })).toBe('a');
      expect(contentOf({ bed: 'a' })).toBeUndefined();
    },
  );
});

describe('what stands beside a call', () => {
  it.each(['thought', 'thoughts', 'thinking', 'reasoning', 'rationale', 'my_thought', 'innerThought'])(
    '%s is a thought',
    (key) => {
      expect(isThought(key, 'a')).toBe(true);
      expect(isThought(key, { text: 'a' })).toBe(true);
    },
  );

  it.each(['reflection', 'explanation', 'analysis', 'plan', 'observation'])('%s is one as a sentence', (key) => {
    expect(isThought(key, 'First see what is there.')).toBe(true);
    expect(isThought(key, '')).toBe(true);
    expect(isThought(key, 'gold')).toBe(false);
    expect(isThought(key, 3)).toBe(false);
  });

  it.each(['call_id', 'tool_call_id', 'toolUseId', 'tool_id', 'jsonrpc'])('%s counts calls', (key) => {
    expect(isBesideCall(key, 'a', false)).toBe(true);
  });

  it.each(['id', 'type', 'index', 'role', 'status'])(
    '%s is an argument only where those have no key of their own',
    (key) => {
      expect(isBesideCall(key, 'a', true)).toBe(true);
      expect(isBesideCall(key, 'a', false)).toBe(false);
    },
  );

  it.each(['x', 'selector', 'element', 'element_id', 'ref', 'url', 'keys', 'coordinate', 'bid'])(
    '%s points at a screen',
    (key) => {
      expect(pointsAtScreen({ [key]: 1 })).toBe(true);
      expect(pointsAtScreen({ [`${key}_name`]: 1 })).toBe(false);
    },
  );

  it('finds keys however they are spelt, the first name first', () => {
    const record = { toolName: 'a', next_action: 'b', tool: 3 };
    const isText = (value: unknown) => typeof value === 'string';

    expect(keyNamed(record, ['tool_name', 'action'], isText)).toBe('toolName');
    expect(keyNamed(record, ['action', 'tool_name'], isText)).toBe('next_action');
    expect(keyNamed(record, ['tool'], isText)).toBeUndefined();
    expect(keyNamed({ tool_name: 'a', toolName: 'b' }, ['tool_name'], isText)).toBe('tool_name');
  });
});
