#!/bin/sh
# One night: release what the policy says, log it as JSON lines, and say in words what is wrong.
# Whatever happens, the export of the last good night stays in its place.
set -u
cd "$(dirname "$0")" || exit 4
"${SQLGEN:-sqlgen}" run policy.yml --log json >> nightly.log
code=$?
case $code in
  0) ;;
  1) echo "nightly: the guarantee is not met; the last good release stays" >&2 ;;
  3) echo "nightly: refused; see nightly.log. If another run had the database, try again" >&2 ;;
  *) echo "nightly: failed with exit code $code; see nightly.log" >&2 ;;
esac
exit $code
