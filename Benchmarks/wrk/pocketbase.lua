-- The nearest thing PocketBase does: PB_WORK is view, create, update, mixed (four views to a create), one (filter) or list
-- (of 100).
local common = require("common")
init = common.start

local base = "/api/collections/items/records"
local note = string.rep("a note, ", 12)
local counter = 0

local work = {}

function work.view()
    return wrk.format("GET", string.format("%s/item%011d", base, common.random_record()))
end

function work.create()
    counter = counter + 1
    return wrk.format("POST", base, common.headers, string.format(
        '{"title":"Item number %d","number":%d,"bucket":%d,"price":%d.5,"note":"%s"}',
        counter, counter + 100000000, counter % 1000 + 10000000, counter % 1000, note))
end

function work.one()
    return wrk.format("GET", string.format("%s?skipTotal=1&filter=(number=%d)", base, common.random_record()))
end

function work.list()
    return wrk.format("GET", string.format(
        "%s?skipTotal=1&perPage=100&filter=(bucket=%d)", base, math.floor(common.random_record() / 100)))
end

function work.update()
    counter = counter + 1
    return wrk.format("PATCH", string.format("%s/item%011d", base, math.random(0, 1999)), common.headers,
        string.format('{"number":%d,"note":"%s"}', counter + 200000000, note))
end

function work.mixed()
    return math.random(5) == 1 and work.create() or work.view()
end

request = work[os.getenv("PB_WORK")]
