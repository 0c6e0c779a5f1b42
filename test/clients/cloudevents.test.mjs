/** CloudEvents: the SDK for JavaScript, in structured and binary mode, with a webhook of the format cloudevents. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { findPackage } from './support/npm-clients.mjs';
import { buildHook, buildScene, postsIn } from './support/scene.mjs';

const sdk = findPackage('cloudevents');

describe('CloudEvents SDK', { skip: !sdk }, () => {
  let scene, url;

  before(async () => {
    scene = await buildScene('cloudevents');
    ({ url } = await buildHook(scene, { format: 'cloudevents' }));
  });

  const event = (fields) =>
    new sdk.CloudEvent({
      type: 'com.example.order.created',
      source: 'https://shop.example.com/orders',
      ...fields,
    });

  async function deliver({ headers, body }) {
    return fetch(url, { method: 'POST', headers, body: body ?? null });
  }

  /** Sends an event in both modes, and returns what is shown of each. */
  async function shown(fields) {
    const all = [];
    for (const message of [sdk.HTTP.structured(event(fields)), sdk.HTTP.binary(event(fields))]) {
      const answer = await deliver(message);
      assert.deepEqual([answer.status, await answer.text()], [200, 'ok']);
      all.push((await postsIn(scene.admin, scene.channel.id))[0]);
    }
    return all;
  }

  test('JSON data', async () => {
    const data = {
      order: 17,
      customer: 'Müller & <b>Söhne</b>',
      lines: [{ sku: 'a', count: 2 }],
      note: null,
    };
    for (const post of await shown({ id: 'e-1', subject: '17', data })) {
      assert.match(
        post.message,
        /^com.example.order.created from \[https:.*\]\(https:\/\/shop.example.com\/orders\)$/,
      );
      const [attachment] = post.props.attachments;
      assert.deepEqual(JSON.parse(attachment.text.replaceAll('```', '')), data);
      const fields = Object.fromEntries(attachment.fields.map(({ title, value }) => [title, value]));
      assert.deepEqual([fields.Subject, fields.Id], ['17', 'e-1']);
      assert.ok(Date.parse(fields.Time.replaceAll('\\', '')) > 0, fields.Time);
    }
  });

  test('text, numbers, lists and no data', async () => {
    for (const [fields, text] of [
      [{ data: 'plain *text*', datacontenttype: 'text/plain' }, 'plain *text*'],
      [{ data: '<a>1</a>', datacontenttype: 'text/xml' }, '<a>1</a>'],
      [{ data: [1, 2] }, '[\n  1,\n  2\n]'],
      [{}, undefined],
    ])
      for (const { props } of await shown(fields))
        assert.equal(props.attachments[0].text || undefined, text && `\`\`\`\n${text}\n\`\`\``);
  });

  test('bytes are named, not shown', async () => {
    const data = new Uint8Array([0, 1, 2, 0xff, 0xfe]);
    for (const { props } of await shown({ data, datacontenttype: 'application/octet-stream' }))
      assert.equal(props.attachments[0].text, '```\n(binary data)\n```');
  });

  test('bytes that are text are shown', async () => {
    const data = new TextEncoder().encode('{"a":"ö"}');
    for (const { props } of await shown({ data, datacontenttype: 'application/json' }))
      assert.equal(props.attachments[0].text, '```\n{\n  "a": "ö"\n}\n```');
  });

  test('extensions and values that look like markup change nothing', async () => {
    const posts = await shown({
      subject: '@all [x](javascript:1)',
      tracestate: 'a=b',
      data: { text: '@channel' },
    });
    for (const post of posts)
      assert.doesNotMatch(post.message + post.props.attachments[0].fields[0].value, /@all/);
  });

  test('the emitter of the SDK', async () => {
    const emit = sdk.emitterFor(sdk.httpTransport(url), { mode: sdk.Mode.STRUCTURED });
    const { body } = await emit(event({ subject: 'emitted' }));
    assert.equal(body, 'ok');
    const [post] = await postsIn(scene.admin, scene.channel.id);
    assert.equal(post.props.attachments[0].fields[0].value, 'emitted');
  });

  test('version 0.3, and batches, are refused by name', async () => {
    const old = event({ id: '1' }).toJSON();
    for (const [contentType, body, message] of [
      ['application/cloudevents+json', { ...old, specversion: '0.3' }, /specversion must be 1.0/],
      ['application/cloudevents-batch+json', [old, old], /one CloudEvent as a JSON object/],
      ['application/cloudevents+json', { ...old, id: undefined }, /id is missing/],
    ]) {
      const answer = await deliver({ headers: { 'content-type': contentType }, body: JSON.stringify(body) });
      assert.equal(answer.status, 400);
      assert.match((await answer.json()).message, message);
    }
  });
});
