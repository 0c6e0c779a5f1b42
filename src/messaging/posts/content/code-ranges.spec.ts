import { codeRanges } from './code-ranges.js';

const codeIn = (text: string): string[] => codeRanges(text).map(({ start, end }) => text.slice(start, end));

describe('codeRanges', () => {
  it.each([
    ['no code', []],
    ['a `b` c `d`', ['`b`', '`d`']],
    ['``a ` b`` `', ['``a ` b``']],
    ['```a b``` c', ['```a b```']],
    ['`` a ` b', []],
    ['a `b\nc` d', ['`b\nc`']],
    ['a `b\n\nc` d', []],
    ['a `b\n- c` d', []],
    ['# a `b\nc` d', []],
    ['> a `b\nc` d', []],
    ['\\`a` b`', ['` b`']],
    ['\\``a` b', ['`a`']],
    ['\\\\`a` b', ['`a`']],
    ['`a\\` b`', ['`a\\`']],
  ])('finds the spans of %j', (text, spans) => {
    expect(codeIn(text)).toEqual(spans);
  });

  it.each([
    ['a\n```js\nb\n```\nc', ['```js\nb\n```']],
    ['~~~\na\n```\nb\n~~~\nc', ['~~~\na\n```\nb\n~~~']],
    ['````\n```\na\n`````\nb', ['````\n```\na\n`````']],
    ['```\na\n``` b\nc', ['```\na\n``` b\nc']],
    ['```\na\n    ```\nb', ['```\na\n    ```\nb']],
    ['   ```\na\n   ```  \nb', ['   ```\na\n   ```  ']],
    ['```\r\na\r\n```\r\nb', ['```\r\na\r\n```\r']],
    ['    ```\na', []],
    ['``` a`b\nc', []],
    ['~~~ a`b\nc', ['~~~ a`b\nc']],
    ['a\n```\nb', ['```\nb']],
    ['```', ['```']],
    ['```\n```\n`a`', ['```\n```', '`a`']],
    ['> ```\n> a\nb `c`', ['> ```\n> a\n', '`c`']],
    ['> ```\n> a\n> ```\n> `b`', ['> ```\n> a\n> ```', '`b`']],
    ['- ```\n  a\n\n  b\n  ```\n`c`', ['- ```\n  a\n\n  b\n  ```', '`c`']],
    ['- ```\n  a\nb `c`', ['- ```\n  a\n', '`c`']],
    ['1.  a\n\n    ```\n    b\n    ```\n    c', ['    ```\n    b\n    ```']],
  ])('finds the blocks of %j', (text, blocks) => {
    expect(codeIn(text)).toEqual(blocks);
  });
});
