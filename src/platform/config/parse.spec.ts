import { readDurations, readList, SettingError } from './parse.js';

describe('readList', () => {
  it.each(['a,b:1,[::1]:2', ' a, b:1 , [::1]:2 ', ',a,,b:1 ,, [::1]:2,'])('reads %j', (text) => {
    expect(readList({ HOSTS: text }, 'HOSTS')).toEqual(['a', 'b:1', '[::1]:2']);
  });

  it.each([undefined, '', ' , '])('has none in %j', (text) => {
    expect(readList({ HOSTS: text }, 'HOSTS')).toEqual([]);
  });
});

describe('readDurations', () => {
  const read = (text: string): readonly number[] => readDurations({ STEPS: text }, 'STEPS', '5s', 60_000);

  it('splits at commas and spaces', () => {
    for (const text of ['1s,2s,1m', '1s 2s 1m', ' 1s, 2s  ,1m'])
      expect(read(text)).toEqual([1_000, 2_000, 60_000]);
    expect(read(' ')).toEqual([5_000]);
  });

  it.each(['1s 2x', '1 s', ','])('refuses %j', (text) => {
    expect(() => read(text)).toThrow(SettingError);
  });
});
