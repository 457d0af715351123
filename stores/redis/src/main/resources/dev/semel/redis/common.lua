-- What every function shares.
--
-- Times are microseconds of this server's clock: a Lua number holds them exactly until the year 2255.
--
-- record  a string: a head of fixed length (see HEAD), then who (whose key it is, opaque here), then the outcome (opaque
--         here). One string is one write, and costs a fraction of a hash. It has a time to live only once it is settled,
--         beyond its whole retention.
-- extras  a hash that few records have: a field s:NAME for each step, and the history. It goes when the record goes.
-- marker  a string, one for each of the store's buckets: a head of fixed length (see MARK), then the recent changes of the
--         index that are not in it yet. It is what the store remembers itself by: see enter().
-- index   a sorted set of the bucket's keys by the time when they may be purged; 0 while they are not settled. One
--         member with a score below 0 is no key: see open_index(). It is behind by what is recent: see list_key().

-- state (p pending, u unknown, s succeeded, f failed), whether there are extras (0 or 1), nonce, fingerprint, token,
-- attempt, claimed, until (when the lease ends), settled, expires, free, purge, the length of who
local HEAD = '>c1c1c16c33dI4ddddddI4'
local HEAD_LENGTH = 115
local UNSETTLED = '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
local AT_STATE, AT_EXTRAS, AT_UNTIL, AT_SETTLED = 0, 1, 71, 79

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

-- These have the same hash tag, and so are in the same slot, as the record and the marker. They are seldom needed, and
-- each key that is handed over costs as much as a small command.
local function extras_of(record)
  return record .. ':extras'
end

local function index_of(marker)
  return string.sub(marker, 1, -7) .. 'index'
end

-- clock, epoch, term, base, lost (how much of the clock was lost, 0 for nothing), by (whose decision the epoch was: s for
-- set-up, o for the operator), ready (1 when set-up is complete), id (see replication_id)
local MARK = '>dddddc1c1c16'
local MARK_LENGTH = 58
local AT_READY = 41

-- A recent change of the index is a digest and its score. It is written with the marker each time, until there are enough
-- of them for one command to take them all. Lua hashes every string in full, so they must not be many.
local RECENT = '>c32d'
local RECENT_LENGTH = 40
local MOST_RECENT = MARK_LENGTH + 6 * RECENT_LENGTH

-- Moves what is recent to the index; returns the marker without it.
local function flush(marker, bucket)
  local changes = {}
  for at = MARK_LENGTH + 1, #marker, RECENT_LENGTH do
    local digest, score = struct.unpack(RECENT, marker, at)
    changes[#changes + 1] = string.format('%.0f', score)
    changes[#changes + 1] = digest
  end
  redis.call('ZADD', index_of(bucket), unpack(changes))
  return string.sub(marker, 1, MARK_LENGTH)
end

-- Brings the index up to date, for those who read it; returns its name.
local function refresh(bucket)
  local marker = redis.call('GET', bucket)
  if marker and #marker > MARK_LENGTH then
    redis.call('SET', bucket, flush(marker, bucket))
  end
  return index_of(bucket)
end

local function set_clock(marker, clock)
  return struct.pack('>d', clock) .. string.sub(marker, 9)
end

-- Sets the clock, and notes that the index has to list the key with this score; returns the marker.
local function list_key(marker, bucket, record, clock, score)
  local digest = digest_of(record)
  local at = string.find(marker, digest, MARK_LENGTH + 1, true)
  if at then
    marker = struct.pack('>d', clock) .. string.sub(marker, 9, at - 1) .. string.sub(marker, at + RECENT_LENGTH)
      .. digest .. struct.pack('>d', score)
  else
    marker = struct.pack('>d', clock) .. string.sub(marker, 9) .. digest .. struct.pack('>d', score)
  end
  return #marker > MOST_RECENT and flush(marker, bucket) or marker
end

-- Who is the master here: changes with every failover and every restart. It is looked up ten times a second, not each
-- time, because it is dear. A server that was not the master a moment ago has not called this a moment ago.
local NOBODY = '0000000000000000'
local replid, replid_at = NOBODY, 0

local function replication_id(now)
  if now < replid_at or now > replid_at + 100000 then
    local info = redis.pcall('INFO', 'replication')
    local id = type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or NOBODY
    replid = string.sub(id, 1, 16)
    replid_at = now
  end
  return replid
end

-- The bucket's clock gives each write a larger number than the one before, whatever the server's clock does. A new
-- master begins a new term, and notes as its base how far the clock had come by then: later writes must not hide it.
-- Returns the marker and what is in it; at the end, whether the term is new: then the marker has to be written.
local function in_term(marker, now)
  local clock, epoch, term, base, lost, by, ready, id = struct.unpack(MARK, marker)
  local id_now = replication_id(now)
  if id == id_now then
    return marker, term, clock, base, lost, epoch, by, false
  end
  base, term = clock, math.max(now, clock + 1)
  marker = struct.pack(MARK, term, epoch, term, base, lost, by, ready, id_now) .. string.sub(marker, MARK_LENGTH + 1)
  return marker, term, term, base, lost, epoch, by, true
end

local function new_marker(now, clock, epoch, by, ready)
  local term = clock + 1
  return struct.pack(MARK, term, epoch, term, clock, 0, by, ready, replication_id(now))
end

-- A marker of the form before this one, which was a hash.
local function carry_over(former)
  local read = redis.call('HMGET', former, 'epoch', 'was', 'term', 'base', 'clock', 'lost', 'by', 'ready')
  if not read[1] then
    return nil
  end
  local epoch = read[1] == 'lost' and read[2] or read[1]
  return struct.pack(MARK, read[5], epoch, read[3], read[4], read[6] or 0, read[7] == 'operator' and 'o' or 's',
    read[8] or '0', NOBODY)
end

-- Moves the clock for a write, notes in the marker when the key may be purged, if it is settled now, and returns the
-- answer: the term and the clock, packed, because a table is dear. A marker that is gone stays gone: the next claim
-- notices.
local function write_marker(record, bucket, marker, now, purge)
  if not marker then
    return struct.pack('>dd', 0, 0)
  end
  local term, clock
  marker, term, clock = in_term(marker, now)
  clock = math.max(now, clock + 1)
  if purge then
    marker = list_key(marker, bucket, record, clock, purge)
  else
    marker = set_clock(marker, clock)
  end
  redis.call('SET', bucket, marker)
  return struct.pack('>dd', term, clock)
end

-- Opens the bucket for a claim, or says why it must stay closed. The caller sends the epoch that it knows, and the
-- largest clock that it was told with the term that this was in. If that is not in the past of this server, then
-- writes that were acknowledged are gone. Everybody has to know, so it is noted in the marker.
local function enter(bucket, marker, now, epoch, term_seen, clock_seen)
  if not marker then
    return { 'missing', 0 }
  end
  local term, clock, base, lost, epoch_here, by, new_term
  marker, term, clock, base, lost, epoch_here, by, new_term = in_term(marker, now)
  if lost > 0 then
    return { 'lost', lost }
  elseif epoch_here ~= epoch then
    return { 'changed', epoch_here, by }
  end
  local limit = term_seen == term and clock or base
  if clock_seen > limit then
    lost = clock_seen - limit
    redis.call('SET', bucket, string.sub(marker, 1, 32) .. struct.pack('>d', lost) .. string.sub(marker, 41))
    return { 'lost', lost }
  end
  return nil, marker, term, clock, new_term
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

-- Stores the outcome in a record that has none, under this nonce; returns when it may be purged.
local function store_outcome(name, record, nonce, now, result, active, free, total, outcome)
  local purge = now + total
  -- Nobody needs it from then on. The hour is for a clock that is set back.
  local gone = string.format('%.0f', math.ceil(purge / 1000) + 3600000)
  local extras = string.sub(record, 2, 2)
  redis.call('SET', name,
    result .. extras .. nonce .. string.sub(record, 19, AT_SETTLED)
      .. struct.pack('>dddd', now, now + active, now + free, purge) .. string.sub(record, HEAD_LENGTH - 3) .. outcome,
    'PXAT', gone)
  if extras == '1' then
    redis.call('PEXPIREAT', extras_of(name), gone)
  end
  return purge
end

-- Redis keeps a small sorted set as a list, in which each change costs as much as it is long; a long member makes it keep
-- a tree from the start.
local function open_index(bucket)
  redis.call('ZADD', index_of(bucket), -1, string.rep('-', 80))
end

-- Removes a key; returns the marker, if there is one, without it.
local function forget(record, bucket, marker)
  redis.call('UNLINK', record, extras_of(record))
  local digest = digest_of(record)
  redis.call('ZREM', index_of(bucket), digest)
  local at = marker and string.find(marker, digest, MARK_LENGTH + 1, true)
  return at and string.sub(marker, 1, at - 1) .. string.sub(marker, at + RECENT_LENGTH) or marker
end
