import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { sharedPlaces } from '../../../../src/search/team/sharedFile/sharedPlaces.ts';

const [app, lib] = [resolve('/code/app'), resolve('/code/my lib')];
const name = '$' + '{workspaceFolderBasename}';

test('a path is relative to each folder, an absolute one and an address are one for all', () => {
  assert.deepEqual(sharedPlaces('build/v.parley-index', [app, lib]), [
    join(app, 'build/v.parley-index'),
    join(lib, 'build/v.parley-index'),
  ]);
  assert.deepEqual(sharedPlaces(resolve('/shared/v'), [app, lib]), [resolve('/shared/v')]);
  assert.deepEqual(sharedPlaces(' https://a.example/v ', [app, lib]), ['https://a.example/v']);
});

test('the name of the folder stands where the variable is, in an address as one is written there', () => {
  assert.deepEqual(sharedPlaces(`../${name}.parley-index`, [app]), [resolve('/code/app.parley-index')]);
  assert.deepEqual(sharedPlaces(`https://a.example/${name}/${name}`, [app, lib]), [
    'https://a.example/app/app',
    'https://a.example/my%20lib/my%20lib',
  ]);
  assert.deepEqual(sharedPlaces(name, [resolve('/code/$&')]), [join(resolve('/code/$&'), '$&')]);
});

test('nothing, or blanks, is no place', () => {
  assert.deepEqual(sharedPlaces('', [app]), []);
  assert.deepEqual(sharedPlaces('  ', [app]), []);
  assert.deepEqual(sharedPlaces('v', []), []);
});
