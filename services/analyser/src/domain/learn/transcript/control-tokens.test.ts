import { withoutControlTokens } from './control-tokens.js';

describe('marks of chat templates in a text', () => {
  it.each([
    ['a<|im_end|>b', 'a(im_end)b'],
    ['<|im_start|>system', '(im_start)system'],
    ['<|begin_of_text|><|eot_id|>', '(begin_of_text)(eot_id)'],
    ['<｜User｜>', '(User)'],
    ['[INST] do it [/INST]', '(INST) do it (/INST)'],
    ['<<SYS>>', '(SYS)'],
    ['</s><s>', '(/s)(s)'],
    ['<start_of_turn>user', '(start_of_turn)user'],
  ])('are spelled so that no server reads them: %s', (text, expected) => {
    expect(withoutControlTokens(text)).toBe(expected);
  });

  it.each(['a <= b || c > d', 'if (x < y | z > w)', 'array[INSTANCE]', '<section>', 'echo "a|b" > c'])(
    'are not seen where there are none: %s',
    (text) => {
      expect(withoutControlTokens(text)).toBe(text);
    },
  );
});
