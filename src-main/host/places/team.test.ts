import { expect, it } from 'vitest';
import { databaseAt } from './team';

it.each([
  [
    'postgresql://ada@db.example.org/notes',
    { host: 'db.example.org', user: 'ada', database: 'notes', ssl: true },
  ],
  ['postgres://ada@db:6432/n%20s?sslmode=disable', { host: 'db', port: 6432, database: 'n s', ssl: false }],
  ['postgresql://127.0.0.1/notes', { host: '127.0.0.1', user: undefined, ssl: false }],
  ['postgresql://[::1]:5433/notes?sslmode=require', { host: '::1', port: 5433, ssl: true }],
  ['postgresql:///notes?host=/run/postgresql&user=ada', { host: '/run/postgresql', user: 'ada', ssl: false }],
])('reads the address %s', (address, database) => {
  expect(databaseAt(address)).toMatchObject({ ok: true, value: database });
});

it.each([
  ['db.example.org/notes', 'place_team_address'],
  ['https://db.example.org/notes', 'place_team_address'],
  ['postgresql://db.example.org', 'place_team_address'],
  ['postgresql://ada:secret@db.example.org/notes', 'place_team_password'],
  ['postgresql://db.example.org/notes?password=secret', 'place_team_password'],
])('refuses %s', (address, code) => {
  expect(databaseAt(address)).toMatchObject({ ok: false, error: { kind: 'invalid', code } });
});
