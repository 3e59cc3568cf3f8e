-- The body of a lookup, to a handler that only reads it.
local common = require("common")
init = common.start

function request()
    return common.post('{"records":[{"recordName":"item-12345"}]}')
end
