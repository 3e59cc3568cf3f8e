-- One record by name.
local common = require("common")
init = common.start

function request()
    return common.post(string.format('{"records":[{"recordName":"item-%d"}]}', common.random_record()))
end
