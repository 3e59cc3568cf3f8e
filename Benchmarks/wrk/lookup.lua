-- One record by name, of the zone that BENCH_ZONE says, as a member before others.
local common = require("common")
init = common.start

local zone = os.getenv("BENCH_ZONE") or ""

function request()
    return common.post(string.format('{%s"records":[{"recordName":"item-%d"}]}', zone, common.random_record()))
end
