-- What every function shares.
--
-- Times are microseconds of this server's clock: a Lua number holds them exactly until the year 2255.
--
-- record  a hash: state (p pending, u unknown, s succeeded, f failed), nonce, fingerprint, token, attempt, claimed,
--         until (when the lease ends), who (whose key it is, opaque here), later also settled, expires, free, purge,
--         outcome (opaque here), history, and a field s:NAME for each step. It has a time to live only once it is
--         settled, beyond its whole retention.
-- bucket  a hash, one for each of the store's buckets: epoch, clock, term, base, replid. It is what the store
--         remembers itself by: see enter().
-- index   a sorted set of the bucket's keys by the time when they may be purged; 0 while they are not settled.

local function microseconds()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- The digest of the key at the end of a record's name.
local function digest_of(record)
  return string.sub(record, -32)
end

-- Who is the master here: changes with every failover and every restart. It is looked up ten times a second, not each
-- time, because it is dear. A server that was not the master a moment ago has not called this a moment ago.
local replid, replid_at = '', 0

local function replication_id(now)
  if now < replid_at or now > replid_at + 100000 then
    local info = redis.pcall('INFO', 'replication')
    replid = type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or ''
    replid_at = now
  end
  return replid
end

-- The bucket's clock gives each write a larger number than the one before, whatever the server's clock does. A new
-- master begins a new term, and notes as its base how far the clock had come by then: later writes must not hide it.
local function begin_term(bucket, now, clock, id)
  local term = math.max(now, clock + 1)
  redis.call('HSET', bucket, 'term', term, 'base', clock, 'clock', term, 'replid', id)
  return term
end

local function current_term(bucket, now, term, clock, id_before)
  local id = replication_id(now)
  if id_before ~= id then
    term = begin_term(bucket, now, clock, id)
    clock = term
  end
  return term, clock
end

-- Moves the clock for a write, and returns what the caller has to remember of it. A bucket that is gone stays gone:
-- the next claim notices.
local function tick(bucket, now)
  local read = redis.call('HMGET', bucket, 'term', 'clock', 'replid')
  if not read[1] then
    return 0, 0
  end
  local term, clock = current_term(bucket, now, tonumber(read[1]), tonumber(read[2]), read[3])
  clock = math.max(now, clock + 1)
  redis.call('HSET', bucket, 'clock', clock)
  return term, clock
end

-- Opens the bucket for a claim, or says why it must stay closed. The caller sends the epoch that it knows, and the
-- largest clock that it was told with the term that this was in. If that is not in the past of this server, then
-- writes that were acknowledged are gone. Everybody has to know, so it is noted in the bucket.
local function enter(bucket, now, epoch, term_seen, clock_seen)
  local read = redis.call('HMGET', bucket, 'epoch', 'term', 'clock', 'replid')
  if read[1] ~= epoch then
    if not read[1] then
      return { 'missing' }
    end
    local why = redis.call('HMGET', bucket, 'by', 'lost')
    return { 'changed', read[1], why[1] or '', why[2] or '' }
  end
  local term, clock = current_term(bucket, now, tonumber(read[2]), tonumber(read[3]), read[4])
  term_seen, clock_seen = tonumber(term_seen), tonumber(clock_seen)
  local limit = clock
  if term_seen ~= term then
    limit = tonumber(redis.call('HGET', bucket, 'base'))
  end
  if clock_seen > limit then
    local lost = string.format('%.0f', clock_seen - limit)
    redis.call('HSET', bucket, 'epoch', 'lost', 'was', epoch, 'lost', lost)
    return { 'changed', 'lost', '', lost }
  end
  return nil, term, clock
end

local function note(record, now, attempt, token, event, text)
  local history = redis.call('HGET', record, 'history') or ''
  local line = string.format('%.0f %s %s %d %d\n', now, attempt, token, #event, #text)
  redis.call('HSET', record, 'history', history .. line .. event .. text)
end

-- ARGV from i: result, outcome, and the active, free and total retention.
local function store_outcome(record, index, now, args, i)
  local purge = now + args[i + 4]
  redis.call('HSET', record, 'state', args[i], 'outcome', args[i + 1], 'settled', now,
    'expires', now + args[i + 2], 'free', now + args[i + 3], 'purge', purge)
  -- Nobody needs it from then on. The hour is for a clock that is set back.
  redis.call('PEXPIREAT', record, math.ceil(purge / 1000) + 3600000)
  redis.call('ZADD', index, purge, digest_of(record))
end

local function forget(record, index)
  redis.call('UNLINK', record)
  redis.call('ZREM', index, digest_of(record))
end
