-- What every function shares.
--
-- Times are microseconds of this server's clock: a Lua number holds them exactly until the year 2255.
--
-- record  a string: a head of fixed length (see HEAD), then who (whose key it is, opaque here). A settle adds to it
--         when that was (see SETTLED) and the outcome (opaque here). One string is one write, and costs a fraction of a
--         hash. It has a time to live only once it is settled, beyond its whole retention.
-- extras  a hash that few records have: a field s:NAME for each step, and the history. It goes when the record goes.
-- marker  a string, one for each of the store's buckets: a head of fixed length (see MARK), then the former terms, if
--         there were any (see FORMER). It is what the store remembers itself by.
-- index   a sorted set of the bucket's keys by the time when they may be purged; 0 while they are not settled. One
--         member with a score below 0 is no key: see open_index().

-- state (p pending, u unknown; a settle leaves it as it is), whether there are extras (0 or 1), attempt, claimed, until
-- (when the lease ends), token. Then what comes with a claim, in one piece: nonce, fingerprint, the length of who, who.
local HEAD = '>c1c1I4dddc16c41I4'
local HEAD_LENGTH = 91
local AT_STATE, AT_EXTRAS, AT_UNTIL, AT_TOKEN, AT_NONCE, AT_WHO = 0, 1, 14, 22, 30, 87

-- The part of the head before the token.
local CLAIMED = '>c1c1I4dd'

-- What says that there are extras, as a byte.
local HAS_EXTRAS = 49

-- The token and the nonce stand side by side: they are whose record it is.
local OWNER_LENGTH = 24

-- state (s succeeded, f failed), settled, expires, free, purge
local SETTLED = '>c1dddd'
local SETTLED_LENGTH = 33

-- How many bytes a history may have.
local MOST_HISTORY = 16000

-- How many bytes of a record there are before it is settled.
local function length_of_claim(record)
  return HEAD_LENGTH + struct.unpack('>I4', record, AT_WHO + 1)
end

-- What is in a record: given its head, and what a settle has added to it.
local function parse(head, settled)
  local record = {}
  record.state, record.extras, record.attempt, record.claimed, record.lease_until, record.token, record.nonce,
    record.fingerprint = struct.unpack(HEAD, head)
  if settled ~= '' then
    record.state, record.settled, record.expires, record.free, record.purge = struct.unpack(SETTLED, settled)
  end
  return record
end

local function is_settled(record)
  return record.state == 's' or record.state == 'f'
end

local function read_record(name)
  local head = redis.call('GETRANGE', name, 0, HEAD_LENGTH - 1)
  if head == '' then
    return nil
  end
  local length = length_of_claim(head)
  return parse(head, redis.call('GETRANGE', name, length, length + SETTLED_LENGTH - 1))
end

-- The record if this attempt carries it.
local function read_own(name, nonce, token)
  local record = read_record(name)
  return record and record.nonce == nonce and record.token == tonumber(token) and record or nil
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
  return string.sub(marker, 1, -9) .. 'index'
end

-- clock, epoch, term, lost (how much of the clock was lost, 0 for nothing), by (whose decision the epoch was: s for
-- set-up, o for the operator), ready (1 when set-up is complete), id (see replication_id)
local MARK = '>ddddc1c1c16'
local MARK_LENGTH = 50
local AT_READY = 33

-- A former term and the clock at its end; the latest term comes first, and the last eight are kept.
local FORMER = '>dd'
local FORMER_LENGTH = 16
local MOST_FORMERS = 8 * FORMER_LENGTH

-- The score of a key that is not settled.
local NOT_SETTLED = '0'

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

-- The clock at the end of a former term. Of a term that this server knows nothing of, all is lost. Of one that is older
-- than all that are kept it is known only that it ended before they did.
local function end_of(marker, term)
  local formers, ended = marker.formers, 0
  for at = 1, #formers, FORMER_LENGTH do
    local former
    former, ended = struct.unpack(FORMER, formers, at)
    if former == term then
      return ended
    elseif former < term then
      return math.min(ended, term - 1)
    end
  end
  return #formers == MOST_FORMERS and ended or 0
end

-- What is in a marker.
--
-- The bucket's clock gives each write a larger number than the one before, whatever the server's clock does. A new master
-- begins a new term, and notes how far the clock had come in the one before: later writes must not hide it.
--
-- The caller sends the epoch that it knows, and the largest clock that it was told with the term that this was in. If
-- that is not in the past of this server, then writes that were acknowledged are gone. Everybody has to know, so it is
-- noted in the marker.
local function open_marker(name, value, now, epoch_seen, term_seen, clock_seen)
  if not value then
    return { name = name, refusal = { 'missing', 0 } }
  end
  local clock, epoch, term, lost, by, ready, id = struct.unpack(MARK, value)
  local marker = {
    name = name, clock = clock, epoch = epoch, term = term, lost = lost, by = by, ready = ready, id = id,
    formers = string.sub(value, MARK_LENGTH + 1), changes = {}, changed = false,
  }
  local id_now = replication_id(now)
  if id ~= id_now then
    marker.formers = struct.pack(FORMER, term, clock) .. string.sub(marker.formers, 1, MOST_FORMERS - FORMER_LENGTH)
    term = math.max(now, clock + 1)
    marker.id, marker.term, marker.clock, marker.changed = id_now, term, term, true
  end
  if lost == 0 and epoch == epoch_seen then
    local limit = term == term_seen and marker.clock or end_of(marker, term_seen)
    if clock_seen > limit then
      lost = clock_seen - limit
      marker.lost, marker.changed = lost, true
    end
  end
  if lost > 0 then
    marker.refusal = { 'lost', lost }
  elseif epoch ~= epoch_seen then
    marker.refusal = { 'changed', epoch, by }
  end
  return marker
end

-- Moves the clock for a write.
local function tick(marker, now)
  local clock = math.max(now, marker.clock + 1)
  marker.clock, marker.changed = clock, true
  return clock
end

-- Notes that the index has to list the key with this score.
local function list_key(marker, record, score)
  local changes = marker.changes
  changes[#changes + 1] = score
  changes[#changes + 1] = digest_of(record)
end

-- The marker as it is to be written. Its changes of the index are written here.
local function pack_marker(marker)
  if #marker.changes > 0 then
    redis.call('ZADD', index_of(marker.name), unpack(marker.changes))
    marker.changes = {}
  end
  marker.changed = false
  return struct.pack(MARK, marker.clock, marker.epoch, marker.term, marker.lost, marker.by, marker.ready, marker.id)
    .. marker.formers
end

-- The marker for a write that is not part of a batch. A process sends what it knows of the bucket with every write, not
-- only with claims: the answer takes the place of what it knows.
local function read_marker(name, now, seen)
  return open_marker(name, redis.call('GET', name), now, struct.unpack('>ddd', seen))
end

-- Moves the clock, writes the marker, and returns the answer: the term and the clock, packed. A marker that is gone stays
-- gone: the next claim notices.
local function write_marker(marker, now)
  if not marker.clock then
    return struct.pack('>dd', 0, 0)
  end
  tick(marker, now)
  redis.call('SET', marker.name, pack_marker(marker))
  return struct.pack('>dd', marker.term, marker.clock)
end

local function new_marker(now, clock, epoch, by, ready)
  local term = clock + 1
  return struct.pack(MARK, term, epoch, term, 0, by, ready, replication_id(now))
end

-- Redis keeps a small sorted set as a list, in which each change costs as much as it is long; a long member makes it keep
-- a tree from the start.
local function open_index(marker)
  redis.call('ZADD', index_of(marker), -1, string.rep('-', 80))
end

local function set_state(record, state)
  redis.call('SETRANGE', record, AT_STATE, state)
end

local function mark_extras(record)
  redis.call('SETRANGE', record, AT_EXTRAS, '1')
end

-- Adds to the history, and cuts off its beginning when it gets long.
local function note(extras, now, attempt, token, event, text)
  local history = redis.call('HGET', extras, 'history') or ''
  local entry = string.format('%.0f %.0f %.0f %d %d\n', now, attempt, token, #event, #text) .. event .. text
  local from = 1
  while from <= #history and #history - from + 1 + #entry > MOST_HISTORY do
    local _, line_end, event_length, text_length = string.find(history, '^%d+ %d+ %d+ (%d+) (%d+)\n', from)
    from = line_end + event_length + text_length + 1
  end
  redis.call('HSET', extras, 'history', string.sub(history, from) .. entry)
end

-- What a settle adds to a record before the outcome; the score; and when Redis itself removes the record, in
-- milliseconds: nobody needs it any more then, and the hour is for a clock that is set back.
local function settlement(now, result, active, free, total)
  local purge = now + total
  return struct.pack(SETTLED, result, now, now + active, now + free, purge), string.format('%.0f', purge),
    string.format('%.0f', math.ceil(purge / 1000) + 3600000)
end

-- Removes a key.
local function forget(record, marker)
  redis.call('ZREM', index_of(marker), digest_of(record))
  redis.call('UNLINK', record, extras_of(record))
end
