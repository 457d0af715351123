INSERT INTO semel_outbox (id, created_at, destination, key, headers, payload, attempts, due_at, done_at) VALUES (
    '1',
    '2026-11-19 20:57:53.401966+00',
    'shop',
    'k-0',
    '{}',
    '\x64656c697665726564',
    '1',
    '-infinity',
    '2026-11-19 20:57:53.470338+00');
INSERT INTO semel_outbox (id, created_at, destination, aggregate, key, content_type, headers, payload, attempts, due_at, error) VALUES (
    '2',
    '2026-11-19 20:57:53.93663+00',
    'shop',
    'order-1',
    'k-1',
    'text/plain',
    '{trace,"t 1, \"quoted\" {}",empty,""}',
    '\x6669727374',
    '1',
    '2026-11-19 20:57:59.682447+00',
    'java.lang.IllegalStateException: down');
INSERT INTO semel_outbox (id, created_at, destination, aggregate, key, headers, payload, attempts, due_at) VALUES (
    '3',
    '2026-11-19 20:57:53.936817+00',
    'shop',
    'order-1',
    'k-2',
    '{}',
    '\x626568696e64206974',
    '0',
    'infinity');
INSERT INTO semel_outbox (id, created_at, destination, key, headers, payload, attempts, due_at, error) VALUES (
    '4',
    '2026-11-19 20:57:53.936841+00',
    'shop',
    'k-3',
    '{}',
    '\x00ff275c',
    '1',
    '2026-11-19 20:58:03.988824+00',
    'dev.semel.outbox.RetryLaterException: closed');
INSERT INTO semel_outbox (id, created_at, destination, key, content_type, headers, payload, attempts, due_at, error, done_at) VALUES (
    '5',
    '2026-11-19 20:57:53.936858+00',
    'mail',
    'k-4',
    'text/plain',
    '{trace,"t 4"}',
    '\x676976656e207570',
    '1',
    '-infinity',
    'dev.semel.outbox.UndeliverableException: no such address',
    '2026-11-19 20:57:53.989848+00');
INSERT INTO semel_outbox_dead (id, created_at, died_at, destination, key, content_type, headers, payload, attempts, error) VALUES (
    '5',
    '2026-11-19 20:57:53.936858+00',
    '2026-11-19 20:57:53.9899+00',
    'mail',
    'k-4',
    'text/plain',
    '{trace,"t 4"}',
    '\x676976656e207570',
    '1',
    'dev.semel.outbox.UndeliverableException: no such address');
INSERT INTO semel_outbox_relay (destination, awake_until) VALUES (
    'mail',
    '2026-11-19 20:57:55.053527+00');
INSERT INTO semel_outbox_relay (destination, awake_until) VALUES (
    'shop',
    '2026-11-19 20:57:55.048857+00');
SELECT setval('semel_outbox_id', 100);
