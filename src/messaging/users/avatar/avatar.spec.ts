import { drawAvatar } from './avatar.js';

it('draws the same for the same account', () => {
  expect(drawAvatar('id', 'anna')).toEqual(drawAvatar('id', 'anna'));
  expect(drawAvatar('id', 'anna')).not.toEqual(drawAvatar('id', 'bob'));
});

it.each(['anna', '7up', '...', '', '😀', 'constructor'])('draws something for %j', (name) => {
  expect(drawAvatar('id', name).length).toBeGreaterThan(80);
});
