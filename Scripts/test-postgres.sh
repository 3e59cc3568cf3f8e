#!/bin/bash
# Runs on PostgreSQL, which the process starts for itself, tests that are about no engine: every suite of accounts, the
# store and transfers but those about broken exports and the table of permissions, whose thousands of cases send the statements that other suites
# send; and of the server what apps do, in Tests/CloudServerTests/Scenarios. ALL=1 runs all suites of the store and the server, for half an hour.
set -euo pipefail
cd "$(dirname "$0")/.."

export CUMULUS_TEST_ENGINE=postgres
if [ "${ALL:-0}" = 1 ]; then
    exec Scripts/run-tests.sh --skip-build --filter '^Cloud(Accounts|Store|Transfer|Server|HTTP|Wire|Pages|Console|Emulator)Tests\.'
fi
scenarios=$(sed -n 's/^struct \([A-Za-z]*Tests\) .*/\1/p' Tests/CloudServerTests/Scenarios/*.swift | paste -sd'|')
exec Scripts/run-tests.sh --skip-build --filter "^(Cloud(Accounts|Store|Transfer)Tests\.|CloudServerTests\.($scenarios)/)" \
    --skip '^(CloudTransferTests\.BrokenExportTests|CloudStoreTests\.PermissionTableTests)/'
