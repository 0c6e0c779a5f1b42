import { foldCase, foldedPosition } from './folded-text.js';

describe('foldedPosition', () => {
  it.each([
    ['Ärger im Büro', 'ärger', 1],
    ['Viel ärger', 'ÄRGER', 6],
    ['İstanbul', 'istanbul', 1],
    ['ΔΡΌΜΟΣ', 'δρόμος', 1],
    ['STRAẞE', 'straße', 1],
    ['100%_', '%_', 4],
    ['Arger', 'ärger', 0],
    [null, 'x', 0],
  ])('of %j and %j', (text, term, position) => {
    expect(foldedPosition(text, term)).toBe(position);
  });
});

it('foldCase keeps the number of letters', () => expect(foldCase('Aİ ΣΣ')).toBe('ai σσ'));
