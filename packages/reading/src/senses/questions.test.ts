import { asksForFacts } from './questions.js';

describe('asksForFacts', () => {
  it.each([
    'Who deleted the record?',
    'who deleted the record',
    'Hello, when was it deleted',
    'Was it deleted?',
    'Has anyone deleted it?',
    'Should we delete it?',
    'Do I need to delete it?',
    'Can the branch be merged?',
    'What happens if we delete it?',
    'How often does it restart?',
    'It restarts. Why?',
    'Check whether it was deleted',
    'Please find out if it was deleted.',
    'It was restarted, why?',
    'The customer asks whether a refund for order 88777 is possible',
    'Ann Hill would like to know what it costs',
    'Our guest in room 214 wants more information on refunds',
    'Wurde der Datensatz gelöscht?',
    'Qui a supprimé le fichier ?',
    '¿Quién borró el registro?',
  ])('%j does', (task) => {
    expect(asksForFacts(task)).toBe(true);
  });

  it.each([
    'Delete it',
    'How do I delete it?',
    'What do I have to do to delete it?',
    'Can you delete it?',
    'Could I cancel my order?',
    'Is it possible to delete it?',
    'Is there any way to delete it?',
    'Delete the users who left',
    'When the disk is full, delete the logs',
    'Have the server restarted',
    'Comment out the line',
    'The customer asks for a refund',
    'The customer asks how to delete it',
    'The guest wants to cancel the late checkout',
  ])('%j does not', (task) => {
    expect(asksForFacts(task)).toBe(false);
  });
});
