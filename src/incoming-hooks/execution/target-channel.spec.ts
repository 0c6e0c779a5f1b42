import { similarChannels, wantedTarget } from './target-channel.js';

describe('wantedTarget', () => {
  it.each([
    ['', 'own', ''],
    [' \t\u3000', 'own', ''],
    ['town-square', 'channel', 'town-square'],
    [' ~town-square ', 'channel', 'town-square'],
    ['# Town-Square', 'channel', 'Town-Square'],
    ['#town-square,', 'channel', 'town-square'],
    ['Town Square', 'channel', 'Town Square'],
    ['＃ｔｏｗｎ-square', 'channel', 'town-square'],
    ['#', 'channel', ''],
    [',', 'channel', ','],
    ['@Admin ', 'user', 'Admin'],
    ['＠admin', 'user', 'admin'],
    ['@ anna:branch', 'user', 'anna:branch'],
    ['#a,#b', 'several', '#a,#b'],
    ['a, b', 'several', 'a, b'],
    ['a; b', 'several', 'a; b'],
    ['a，b', 'several', 'a,b'],
    ['@a @b', 'several', '@a @b'],
  ])('reads %j as %s', (channel, kind, name) => {
    expect(wantedTarget(channel)).toEqual({ kind, name });
  });
});

describe('similarChannels', () => {
  const channels = [
    { name: 'town-square', displayName: 'Town Square' },
    { name: 'off-topic', displayName: 'Off-Topic' },
    { name: 'ci', displayName: 'Builds' },
    { name: 'build', displayName: 'All of them' },
  ];
  it.each([
    ['town-sqare', ['town-square']],
    ['Town Square', ['town-square']],
    ['offtopic', ['off-topic']],
    ['builds', ['ci', 'build']],
    ['cd', []],
    ['', []],
    ['somewhere-else', []],
  ])('finds %j: %j', (wanted, names) => {
    expect(similarChannels(wanted, channels).map(({ name }) => name)).toEqual(names);
  });
});
