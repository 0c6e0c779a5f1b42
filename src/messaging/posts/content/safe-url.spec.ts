import { linkUrl, pictureUrl } from './safe-url.js';

describe('URL schemes of links and images', () => {
  it.each([
    '',
    'https://example.com/a?b=javascript:c#d',
    'HTTP://example.com',
    'example.com/docs:v2',
    'ci.example.com:8080/job/1',
    '/static/emoji/1f604.png',
    '?page=1:2',
    '#part:2',
    'a picture of <nothing>',
  ])('allows %p for both', (url) => {
    expect(linkUrl(url)).toBe(url);
    expect(pictureUrl(url)).toBe(url);
  });

  it.each(['mailto:ada@example.com', 'tel:+4930', 'mattermost://chat.example.com/main'])(
    'allows %p for links only',
    (url) => {
      expect(linkUrl(url)).toBe(url);
      expect(pictureUrl(url)).toBe('');
    },
  );

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' \t\u0001javascript:alert(1)',
    'java\nscript\t:alert(1)',
    'java\u00adscript:alert(1)',
    '\u00a0javascript:1/alert(1)',
    'javascript://example.com/%0aalert(1)',
    'java&#115;cript:alert(1)',
    'javascript&colon;alert(1)',
    'JAVA&Tab;SCRIPT&COLON;alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'vbscript:msgbox',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'view-source:https://example.com',
    ':alert(1)',
  ])('drops %p', (url) => {
    expect(linkUrl(url)).toBe('');
    expect(pictureUrl(url)).toBe('');
  });
});
