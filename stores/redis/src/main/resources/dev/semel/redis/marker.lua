-- The markers by which a store notices that Redis has lost something, and what every call shares.
--
-- Times are microseconds of this server's clock: a Lua number holds them exactly until the year 2255.
--
-- marker  a string, one for each of the store's buckets: a head of fixed length (see MARK), then the former terms, if
--         there were any (see FORMER). It is what the store remembers itself by.
-- index   a sorted set of the bucket's keys by the time when they may be purged; 0 while they are not settled. One
--         member with a score below 0 is no key: see open_index().

-- The calls by name. The first key of each but batch is the marker of a bucket.
local calls = {}

local function microseconds()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

function calls.time()
  return { microseconds() }
end

-- What the names of everything in a bucket begin with. They have the same hash tag as the marker, and so are in its slot.
local function prefix_of(marker)
  return string.sub(marker, 1, -9)
end

local function index_of(marker)
  return prefix_of(marker) .. 'index'
end

-- clock, epoch, term, lost (how much of the clock was lost, 0 for nothing), by (whose decision the epoch was: s for
-- set-up, o for the operator), ready (1 when set-up is complete), id (see replication_id)
local MARK = '>ddddc1c1c16'
local MARK_LENGTH = 50
local AT_READY = 33

-- A former term and the clock when it ended; the latest term comes first, and the last eight are kept.
local FORMER = '>dd'
local FORMER_LENGTH = 16
local MOST_FORMERS = 8 * FORMER_LENGTH

-- The name of the present master: changes with every failover and every restart. It is looked up ten times a second, not
-- each time, because it is dear. A server that was not the master a moment ago has not called this a moment ago.
local NO_SERVER = '0000000000000000'
local replid, replid_at = NO_SERVER, 0

local function replication_id(now)
  if now < replid_at or now > replid_at + 100000 then
    local info = redis.pcall('INFO', 'replication')
    local id = type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or NO_SERVER
    replid = string.sub(id, 1, 16)
    replid_at = now
  end
  return replid
end

-- The clock at the end of a former term. Of a term that this server does not know, all is lost. Of one that is older
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
-- The caller sends the epoch that it knows, and the largest clock that it received with the term that this was in. If
-- that is not in the past of this server, then writes that were acknowledged are gone. Everybody has to know, so it is
-- noted in the marker.
local function open_marker(name, value, now, epoch_seen, term_seen, clock_seen)
  if not value then
    return { name = name, refusal = { 'missing', 0 } }
  end
  local clock, epoch, term, lost, by, ready, id = struct.unpack(MARK, value)
  local marker = {
    name = name, clock = clock, epoch = epoch, term = term, lost = lost, by = by, ready = ready, id = id,
    formers = string.sub(value, MARK_LENGTH + 1), listed = {}, changed = false,
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

-- Moves the clock for a write, unless the marker is gone: then the next claim notices.
local function tick(marker, now)
  if marker.clock then
    marker.clock, marker.changed = math.max(now, marker.clock + 1), true
  end
  return marker.clock
end

-- Notes that the index has to list the key with this score.
local function list_key(marker, record, score)
  local listed = marker.listed
  if listed then
    listed[#listed + 1] = score
    listed[#listed + 1] = string.sub(record, -32)
  end
end

-- The marker as it is to be written. Its changes of the index are written here.
local function pack_marker(marker)
  if #marker.listed > 0 then
    redis.call('ZADD', index_of(marker.name), unpack(marker.listed))
    marker.listed = {}
  end
  marker.changed = false
  return struct.pack(MARK, marker.clock, marker.epoch, marker.term, marker.lost, marker.by, marker.ready, marker.id)
    .. marker.formers
end

-- Redis keeps a small sorted set as a list, in which each change costs as much as it is long; a long member makes it keep
-- a tree from the start.
local function open_index(marker)
  redis.call('ZADD', index_of(marker), -1, string.rep('-', 80))
end

local function write_new_marker(name, now, clock, epoch, by, ready)
  local term = clock + 1
  redis.call('SET', name, struct.pack(MARK, term, epoch, term, 0, by, ready, replication_id(now)))
  open_index(name)
end

-- Returns what a bucket is remembered by: its epoch (0 for none), whether it has lost something, whether set-up is
-- complete, and whether a former form of the store is here.
function calls.open(keys)
  local prefix = prefix_of(keys[1])
  local former = redis.call('EXISTS', prefix .. 'marker-3', prefix .. 'marker-2', prefix .. 'marker', prefix .. 'bucket')
  local marker = redis.call('GET', keys[1])
  if not marker then
    return { 0, 0, 0, former }
  end
  local _, epoch, _, lost, _, ready = struct.unpack(MARK, marker)
  return { epoch, lost, tonumber(ready), former }
end

-- Writes the marker of a bucket that has none, and returns the epoch that it has then.
-- ARGV epoch (0 for one made of this server's clock)
function calls.setup(keys, args)
  local marker = redis.call('GET', keys[1])
  if marker then
    return { (struct.unpack('>d', marker, 9)) }
  end
  local now = microseconds()
  local epoch = args[1] == '0' and now or tonumber(args[1])
  write_new_marker(keys[1], now, now, epoch, 's', '0')
  return { epoch }
end

-- Notes that set-up is complete.
function calls.ready(keys)
  redis.call('SETRANGE', keys[1], AT_READY, '1')
  return { 1 }
end

-- Begins a new epoch of a bucket: what was lost is lost. Returns the epoch, and whether the one before was intact.
-- ARGV epoch (0 for one made of this server's clock), the least that it may then be
function calls.acknowledge(keys, args)
  local marker = redis.call('GET', keys[1])
  local intact, now = false, microseconds()
  local clock = now
  if marker then
    local before, _, _, lost = struct.unpack(MARK, marker)
    intact, clock = lost == 0, math.max(now, before + 1)
  end
  local epoch = args[1] == '0' and math.max(clock, tonumber(args[2])) or tonumber(args[1])
  write_new_marker(keys[1], now, clock, epoch, 'o', '1')
  return { epoch, intact and 1 or 0 }
end
