-- What every function shares.
--
-- Times are microseconds of this server's clock: a Lua number holds them exactly until the year 2255.
--
-- record  a string: a head of fixed length (see HEAD), then who (whose key it is, opaque here), then the outcome (opaque
--         here). One string is one write, and costs a fraction of a hash. It has a time to live only once it is settled,
--         beyond its whole retention.
-- extras  a hash that few records have: a field s:NAME for each step, and the history. It goes when the record goes.
-- bucket  a hash, one for each of the store's buckets: epoch, clock, term, base, replid. It is what the store
--         remembers itself by: see enter().
-- index   a sorted set of the bucket's keys by the time when they may be purged; 0 while they are not settled. One
--         member with a score below 0 is no key: see open_index().

-- state (p pending, u unknown, s succeeded, f failed), whether there are extras (0 or 1), nonce, fingerprint, token,
-- attempt, claimed, until (when the lease ends), settled, expires, free, purge, the length of who
local HEAD = '>c1c1c16c33dI4ddddddI4'
local HEAD_LENGTH = 115
local AT_STATE, AT_EXTRAS, AT_UNTIL = 0, 1, 71

local function read_head(record)
  local head = redis.call('GETRANGE', record, 0, HEAD_LENGTH - 1)
  if head == '' then
    return nil
  end
  return struct.unpack(HEAD, head)
end

-- The head of a record if this attempt carries it.
local function read_own(record, nonce, token)
  local head = redis.call('GETRANGE', record, 0, HEAD_LENGTH - 1)
  if head == '' then
    return nil
  end
  local state, extras, owner, fingerprint, owned, attempt = struct.unpack('>c1c1c16c33dI4', head)
  if owner ~= nonce or owned ~= tonumber(token) then
    return nil
  end
  return state, extras, attempt
end

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
  if tonumber(read[1]) ~= epoch then
    if not read[1] then
      return { 'missing' }
    end
    local why = redis.call('HMGET', bucket, 'by', 'lost')
    return { 'changed', read[1], why[1] or '', why[2] or '' }
  end
  local term, clock = current_term(bucket, now, tonumber(read[2]), tonumber(read[3]), read[4])
  local limit = clock
  if term_seen ~= term then
    limit = tonumber(redis.call('HGET', bucket, 'base'))
  end
  if clock_seen > limit then
    local lost = string.format('%.0f', clock_seen - limit)
    redis.call('HSET', bucket, 'epoch', 'lost', 'was', read[1], 'lost', lost)
    return { 'changed', 'lost', '', lost }
  end
  return nil, term, clock
end

local function set_state(record, state)
  redis.call('SETRANGE', record, AT_STATE, state)
end

local function mark_extras(record)
  redis.call('SETRANGE', record, AT_EXTRAS, '1')
end

local function note(record, extras, now, attempt, token, event, text)
  local history = redis.call('HGET', extras, 'history') or ''
  local line = string.format('%.0f %.0f %.0f %d %d\n', now, attempt, token, #event, #text)
  redis.call('HSET', extras, 'history', history .. line .. event .. text)
  mark_extras(record)
end

-- Stores the outcome in a record that has none. The retention is a packed string: result, active, free, total.
local function store_outcome(keys, record, nonce, now, retention, outcome)
  local result, active, free, total = struct.unpack('>c1ddd', retention)
  local _, extras, _, fingerprint, token, attempt, claimed, lease_until = struct.unpack(HEAD, record)
  local who = string.sub(record, HEAD_LENGTH + 1)
  local purge = now + total
  -- Nobody needs it from then on. The hour is for a clock that is set back.
  local gone = string.format('%.0f', math.ceil(purge / 1000) + 3600000)
  local head = struct.pack(HEAD, result, extras, nonce, fingerprint, token, attempt, claimed, lease_until,
    now, now + active, now + free, purge, #who)
  redis.call('SET', keys[1], head .. who .. outcome, 'PXAT', gone)
  if extras == '1' then
    redis.call('PEXPIREAT', keys[4], gone)
  end
  redis.call('ZADD', keys[3], purge, digest_of(keys[1]))
end

-- Redis keeps a small sorted set as a list, in which each change costs as much as it is long; a long member makes it keep
-- a tree from the start.
local function open_index(index)
  redis.call('ZADD', index, -1, string.rep('-', 80))
end

local function forget(record, extras, index)
  redis.call('UNLINK', record, extras)
  redis.call('ZREM', index, digest_of(record))
end
