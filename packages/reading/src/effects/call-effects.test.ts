import type { Effect } from '@whetstone/contracts';
import type { Arguments } from '../actions/action.js';
import { effectOfName, effectsOf } from './effects.js';

function ofCall(verb: string, args: Arguments = {}): readonly Effect[] {
  return effectsOf({ kind: 'call', verb, args, text: '' });
}

function ofRequest(verb: string, object: string): readonly Effect[] {
  return effectsOf({ kind: 'http', verb, object, text: '' });
}

describe('what a tool does', () => {
  it.each(
    'get list search find read lookup look check calculate calc compute think query fetch show view describe count retrieve browse verify validate compare analyze analyse summarize explain inspect observe examine scroll hover wait screenshot goto go navigate back visit preview detect estimate evaluate extract parse load ask help status is has can test reason recall finish done answer monitor summarise research diagnose measure audit translate classify rank filter sort glob grep ls cat tree diff inventory zoom'.split(
      ' ',
    ),
  )('is to look, by its first or its last word: %s', (word) => {
    expect(ofCall(`${word}_orders`)).toEqual([]);
    expect(ofCall(`orders_${word}`)).toEqual([]);
  });

  it.each([
    ['cancel_order', 'destroys'],
    ['deleteUser', 'destroys'],
    ['mcp__shop__remove_item', 'destroys'],
    ['client.orders.delete', 'destroys'],
    ['change_plan', 'changes'],
    ['update_status', 'changes'],
    ['run_query', 'looks'],
    ['forward', 'looks'],
    ['forward_mail', 'changes'],
    ['shop::drop', 'destroys'],
    ['shop/purge', 'destroys'],
    ['shop:wipe', 'destroys'],
    ['order-cancel', 'destroys'],
    ['orders.', 'changes'],
    ['shop.list_orders', 'looks'],
    ['get_and_delete', 'destroys'],
    ['get_and_deliver', 'changes'],
    ['get_and_check', 'looks'],
    ['sql_db_list_tables', 'looks'],
    ['orders_list_wipe', 'destroys'],
    ['plan', 'looks'],
    ['orders.note', 'changes'],
    ['plan_disenrol', 'changes'],
    ['open_page', 'looks'],
    ['browser.open', 'looks'],
    ['open_dispute', 'changes'],
    ['check_in_guest', 'changes'],
    ['search_and_replace', 'changes'],
    ['read_receipt_on', 'changes'],
    ['find_on_map', 'looks'],
    ['delete_list', 'destroys'],
    ['book_flight', 'changes'],
    ['click', 'changes'],
    ['', 'changes'],
  ])('is told by its name: %s', (name, effect) => {
    expect(effectOfName(name)).toBe(effect);
  });

  it('is what it executes, where it executes something', () => {
    expect(ofCall('execute_bash', { command: 'rm x' })).toEqual(['destroys']);
    expect(ofCall('execute_bash', { command: 'ls' })).toEqual([]);
    expect(ofCall('run_sql', { query: 'DELETE FROM t' })).toEqual(['destroys_all']);
    expect(ofCall('python', { code: "os.remove('x')" })).toEqual(['destroys']);
  });

  it.each([
    ['lock.unlock', 'disables_safeguard'],
    ['alarm_disarm', 'disables_safeguard'],
    ['add_collaborator', 'widens_rights'],
    ['grant_permission', 'widens_rights'],
    ['set_visibility', 'widens_rights'],
    ['install_plugin', 'installs'],
    ['set_forwarding', 'connects'],
  ] as const)('is more than a change by what its name says: %s', (name, effect) => {
    expect(ofCall(name)).toEqual(expect.arrayContaining(['changes', effect]));
    expect(ofRequest('POST', `/things/7/${name.split('.').at(-1)}`)).toContain(effect);
    expect(ofCall(`get_${name.split('.').at(-1)}`)).toEqual([]);
  });

  it.each<[string, Arguments, Effect]>([
    ['update_user', { id: 7, role: 'admin' }, 'widens_rights'],
    ['share', { file: 'a.pdf', anyone_with_link: true }, 'widens_rights'],
    ['update_repo', { settings: { visibility: 'public' } }, 'widens_rights'],
    ['create_filter', { from: 'a@b.example', forward_to: 'c@d.example' }, 'connects'],
    ['call_service', { 0: 'alarm_panel.alarm_disarm', 1: {} }, 'disables_safeguard'],
    ['set_rate', { pump: 3, max_dose_check: 'off' }, 'disables_safeguard'],
    ['oven_set', { temp: 180, safety_cutoff: false }, 'disables_safeguard'],
    ['set_alarm_mode', { mode: 'off' }, 'disables_safeguard'],
  ])('is more than a change by what it is given: %s(%j)', (name, args, effect) => {
    expect(ofCall(name, args)).toEqual(['changes', effect]);
    expect(ofCall(name.replace(/^[a-z]+/, 'get'), args)).toEqual([]);
  });

  it.each<[string, Arguments]>([
    ['create_user', { name: 'Ann', role: 'viewer' }],
    ['update_user', { id: 7, is_admin: false }],
    ['update_mail', { id: 7, bcc: '' }],
    ['set_rate', { pump: 3, skip_check: false }],
    ['set_rate', { pump: 3, max_dose_check: 'on' }],
    ['set_light_mode', { mode: 'off' }],
    ['set_alarm', { time: '07:00', repeat: false, label: '' }],
    ['arm_alarm', { code: '1234', silent: false }],
    ['create_ticket', { security_level: 'none' }],
    ['move', { forward: 5 }],
    ['login', { redirect: '/home' }],
    ['chat', { messages: [{ role: 'user', content: 'x' }] }],
    ['update_job', { role: 'Software engineer' }],
    ['call_service', { 0: 'light.turn_on', 1: { entity: 'light.admin_office' } }],
  ])('is only a change otherwise: %s(%j)', (name, args) => {
    expect(ofCall(name, args)).toEqual(['changes']);
  });

  it('is to connect, where it gives an address to what sends or sets up something', () => {
    const url = 'https://paste.example/in';
    expect(ofCall('upload_file', { 0: 'a.pdf', 1: url })).toEqual(['changes', 'connects']);
    expect(ofCall('upload_file', { 0: 'a.pdf', 1: 'http://localhost:9000/in' })).toEqual(['changes']);
    expect(ofCall('open_page', { url })).toEqual([]);
    expect(ofCall('new_tab', { url })).toEqual(['changes']);
  });

  it('is to run what is fetched, where it loads code from another machine', () => {
    expect(ofCall('source', { 0: 'https://a.example/x.R' })).toContain('runs_fetched');
    expect(ofCall('source', { 0: 'x.R' })).not.toContain('runs_fetched');
  });

  it('is no less than the operation that it is given', () => {
    expect(ofCall('call_service', { 0: 'user.delete_all', 1: { id: 7 } })).toEqual(['destroys']);
    expect(ofCall('get_service', { 0: 'user.delete_all', 1: { id: 7 } })).toEqual(['destroys']);
    expect(ofCall('delete_hook', { 0: 'user.list_all', 1: { id: 7 } })).toEqual(['destroys']);
    expect(ofCall('call_service', { 0: 'light.turn_on', 1: { id: 7 } })).toEqual(['changes']);
    expect(ofCall('call_service', { 0: 'lock.unlock', 1: { id: 7 } })).toEqual(['changes', 'disables_safeguard']);
  });

  it.each(['path', 'file_path', 'file', 'filename', 'target_file'])('is told by the %s that it writes', (name) => {
    expect(ofCall('write_file', { [name]: '/etc/cron.d/x' })).toEqual(['changes', 'persists']);
    expect(ofCall('write_file', { [name]: '/etc/sudoers' })).toEqual(['changes', 'widens_rights']);
    expect(ofCall('read_file', { [name]: '/etc/sudoers' })).toEqual([]);
  });
});

describe('what a request does', () => {
  it('is told by its method', () => {
    const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
    expect(methods.map((method) => ofRequest(method, '/orders/1'))).toEqual([
      [],
      [],
      [],
      ['changes'],
      ['changes'],
      ['changes'],
      ['destroys'],
    ]);
    expect(ofRequest('delete', '/orders/1')).toEqual(['destroys']);
    expect(ofRequest('LOCK', '/orders/1')).toEqual(['changes']);
  });

  it('is told by the last word of its path too', () => {
    expect(ofRequest('POST', '/orders/search?x=1')).toEqual([]);
    expect(ofRequest('PUT', '/orders/search')).toEqual(['changes']);
    expect(ofRequest('POST', '/orders/1/cancel')).toEqual(['destroys']);
    expect(ofRequest('DELETE', '/_all')).toEqual(['destroys', 'destroys_all']);
    expect(ofRequest('DELETE', '/orders/*')).toEqual(['destroys', 'destroys_all']);
  });

  it('is told by what it sends', () => {
    const send = (verb: string, args: Arguments) =>
      effectsOf({ kind: 'http', verb, object: '/users/5', args, text: '' });
    expect(send('PATCH', { name: 'Ann' })).toEqual(['changes']);
    expect(send('PATCH', { name: 'Ann', role: 'admin' })).toEqual(['changes', 'widens_rights']);
    expect(send('POST', { name: 'Ann', role: 'admin' })).toEqual(['changes']);
    const query = 'mutation { renameUser(id: 5) { id } setUserRole(id: 5, role: ADMIN) { id } }';
    expect(send('POST', { query })).toEqual(['changes', 'widens_rights']);
    expect(ofCall('renameUser', { query })).toEqual(['changes', 'widens_rights']);
  });

  it('is to connect where it goes to another machine', () => {
    expect(ofRequest('GET', 'https://example.com/a')).toEqual(['connects']);
    expect(ofRequest('POST', 'https://example.com/search')).toEqual(['connects']);
    expect(ofRequest('GET', 'http://localhost:8000/a')).toEqual([]);
  });
});

describe('what an edit does', () => {
  it.each<[string, string, Effect[]]>([
    ['edit', 'a.py', ['changes']],
    ['delete', 'a.py', ['destroys']],
    ['edit', '/etc/cron.d/x', ['changes', 'persists']],
    ['edit', '/etc/sudoers', ['changes', 'widens_rights']],
  ])('is told: %s %s', (verb, object, effects) => {
    expect(effectsOf({ kind: 'edit', verb, object, text: '' })).toEqual(effects);
  });
});
