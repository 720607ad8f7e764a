import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseProxy } from '../../../src/service/network/proxy.ts';

const proxy = 'http://proxy.lan:3128';
const isAskedDirectly = (address: string, ...noProxy: string[]): boolean =>
  chooseProxy(new URL(address), { proxy, noProxy }, {}) === undefined;

describe('the proxy for an address', () => {
  test('is left out for the hosts that are named, and for their subdomains', () => {
    for (const pattern of ['box.lan', '.box.lan', ' Box.LAN ', 'lan', 'box.lan:443', 'box.lan.', '*']) {
      assert.ok(isAskedDirectly('https://box.lan/v1', pattern), pattern);
      if (pattern !== '*') assert.ok(isAskedDirectly('https://a.box.lan./v1', pattern), pattern);
    }
    assert.ok(isAskedDirectly('https://a.box.lan/v1', '*.box.lan'));
    for (const pattern of ['*.box.lan', 'ox.lan', 'box.lan:80', 'box', '', '.']) {
      assert.ok(!isAskedDirectly('https://box.lan/v1', pattern), pattern);
    }
  });

  test('is left out for a port where one is named', () => {
    assert.ok(isAskedDirectly('http://box.lan:8080/v1', 'box.lan:8080'));
    assert.ok(isAskedDirectly('http://box.lan/v1', 'box.lan:80'));
    assert.ok(!isAskedDirectly('http://box.lan:8080/v1', 'box.lan:80'));
  });

  test('is left out for addresses of both kinds', () => {
    assert.ok(isAskedDirectly('http://10.0.0.7/v1', '10.0.0.7'));
    assert.ok(isAskedDirectly('http://[fd00::7]/v1', 'fd00::7'));
    assert.ok(isAskedDirectly('http://[fd00::7]:8080/v1', '[fd00::7]:8080'));
    assert.ok(!isAskedDirectly('http://[fd00::7]:8080/v1', '[fd00::7]:80'));
    assert.ok(!isAskedDirectly('http://10.0.0.7/v1', '.0.0.8'));
  });

  test('is left out for ranges of addresses', () => {
    const ranges = ['127.0.0.0/8', '10.0.0.0/8', '192.168.0.0/16', 'fd00::/8'];
    for (const host of ['10.255.0.1', '192.168.1.9:11434', '[fd12::1]'])
      assert.ok(isAskedDirectly(`http://${host}/v1`, ...ranges), host);
    assert.ok(isAskedDirectly('http://192.168.1.9/v1', '192.168.*'));
    assert.ok(isAskedDirectly('http://10.0.0.7/v1', '10.0.0.7/32'));
    const environment = { NO_PROXY: 'a.lan;10.0.0.0/8 b.lan' };
    assert.equal(chooseProxy(new URL('http://10.1.1.1/v1'), { proxy }, environment), undefined);
  });

  test('is asked for addresses beside a range, and for names', () => {
    for (const host of ['11.0.0.1', '192.169.1.9', '[fe80::1]', '10.0.0.7.example', 'ten.lan'])
      for (const range of [
        '10.0.0.0/8',
        '192.168.0.0/16',
        'fd00::/8',
        '10.0.0.0/99',
        '10/8',
        'ten.lan/8',
        '/',
        '192.168.*',
      ])
        assert.ok(!isAskedDirectly(`http://${host}/v1`, range), `${host} ${range}`);
  });

  test('is never asked for this machine', () => {
    for (const host of ['localhost', 'box.localhost', '127.0.0.1', '127.8.8.8', '[::1]']) {
      assert.ok(isAskedDirectly(`http://${host}:1234/v1`), host);
    }
  });

  test('comes from the setting, else from the variable of the scheme', () => {
    const of = (address: string, environment: Record<string, string>) =>
      chooseProxy(new URL(address), {}, environment)?.url.host;
    const both = { HTTP_PROXY: 'http://plain.lan:1', HTTPS_PROXY: 'http://secure.lan:2' };
    assert.equal(of('http://box.lan', both), 'plain.lan:1');
    assert.equal(of('https://box.lan', both), 'secure.lan:2');
    assert.equal(of('https://box.lan', { http_proxy: 'plain.lan:1' }), 'plain.lan:1');
    assert.equal(of('http://box.lan', { HTTPS_PROXY: 'http://secure.lan:2' }), undefined);
    assert.equal(of('https://box.lan', { ...both, no_proxy: 'other.lan box.lan' }), undefined);
    assert.equal(chooseProxy(new URL('https://box.lan'), { proxy }, both)?.url.host, 'proxy.lan:3128');
  });

  test('gets the credentials of its address, or those that are set', () => {
    const authorizationOf = (address: string, proxyAuthorization?: string) =>
      chooseProxy(new URL('https://box.lan'), { proxy: address, proxyAuthorization }, {})?.authorization;
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    assert.equal(authorizationOf('http://me:p%40ss@proxy.lan:3128'), basic('me:p@ss'));
    assert.equal(authorizationOf('http://me@proxy.lan:3128'), basic('me:'));
    assert.equal(authorizationOf('http://me:x@proxy.lan:3128', 'Negotiate abc'), 'Negotiate abc');
    assert.equal(authorizationOf(proxy), undefined);
  });
});
